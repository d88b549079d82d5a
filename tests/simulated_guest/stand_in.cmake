# The recorded guest, Metal and metal-caps: also built for other processors.
set(simulated_guest "${CMAKE_CURRENT_LIST_DIR}")

# The text is read while CMake configures, so that the library holds no path of the machine it was built on.
set(METAL_UNLOCK_DEFAULT_GUEST tahoe-26-m1-ultra.json)
set(default_guest_file "${simulated_guest}/../guests/${METAL_UNLOCK_DEFAULT_GUEST}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${default_guest_file}")
file(READ "${default_guest_file}" METAL_UNLOCK_DEFAULT_GUEST_TEXT)
configure_file("${simulated_guest}/default_guest.hpp.in" "${CMAKE_BINARY_DIR}/generated/tests/simulated_guest/default_guest.hpp" @ONLY)

add_library(recorded_guest STATIC "${simulated_guest}/recorded_guest.cpp" "${simulated_guest}/recorded_faults.cpp"
  "${simulated_guest}/recorded_faults_search.cpp")
target_link_libraries(recorded_guest PUBLIC metal_unlock_core PRIVATE $<TARGET_NAME_IF_EXISTS:nlohmann_json::nlohmann_json>)
target_include_directories(recorded_guest PRIVATE "${CMAKE_BINARY_DIR}/generated")
set_target_properties(recorded_guest PROPERTIES
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)

if(APPLE)
  add_executable(metal-caps "${simulated_guest}/metal_caps.mm" "${simulated_guest}/caps_answers.cpp")
  target_link_libraries(metal-caps PRIVATE metal_unlock_core objc "-framework Foundation" "-framework Metal")
  return()
endif()

# Its classes are what clients derive from: only for them is the name of a class a symbol that libMetal.map can show.
set_source_files_properties("${simulated_guest}/stand_in_objects.mm" PROPERTIES COMPILE_OPTIONS -fvisibility=default)

# add_metal_stand_in(TARGET DIRECTORY [DEFINITION…]): a libMetal.so in DIRECTORY. A client linked with one of them runs
# with another where LD_LIBRARY_PATH names its directory.
function(add_metal_stand_in target directory)
  add_library(${target} SHARED "${simulated_guest}/stand_in_objects.mm" "${simulated_guest}/device.mm"
    "${simulated_guest}/device_factory.mm" "${simulated_guest}/metal_functions.mm"
    "${simulated_guest}/compute_device.mm" "${simulated_guest}/compute_objects.mm" "${simulated_guest}/device_state.cpp")
  target_compile_definitions(${target} PRIVATE ${ARGN})
  target_link_libraries(${target} PRIVATE recorded_guest objc ${CMAKE_DL_LIBS})
  target_link_options(${target} PRIVATE -static-libgcc -static-libstdc++
    "-Wl,--version-script=${simulated_guest}/libMetal.map" -Wl,-z,defs -Wl,--gc-sections)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME Metal
    LIBRARY_OUTPUT_DIRECTORY "${directory}"
    LINK_DEPENDS "${simulated_guest}/libMetal.map"
    OBJCXX_VISIBILITY_PRESET hidden
    CXX_VISIBILITY_PRESET hidden)
endfunction()

add_metal_stand_in(metal_stand_in "${CMAKE_BINARY_DIR}")
add_metal_stand_in(metal_stand_in_without_init "${CMAKE_BINARY_DIR}/stand-in/without-init"
  STAND_IN_WITHOUT_INIT_GPU_FAMILY_SUPPORT)

add_executable(metal-caps "${simulated_guest}/metal_caps.mm" "${simulated_guest}/caps_answers.cpp")
target_link_libraries(metal-caps PRIVATE metal_stand_in metal_unlock_core objc)
target_link_options(metal-caps PRIVATE -static-libgcc -static-libstdc++)
set_target_properties(metal-caps PROPERTIES BUILD_RPATH_USE_ORIGIN ON)
