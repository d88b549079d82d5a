# The programs that tests start with the shim, and the Metal that they find: also built for other processors.
set(shim_tests "${CMAKE_CURRENT_LIST_DIR}")
add_compile_options($<$<COMPILE_LANGUAGE:OBJCXX>:-std=c++20>)

# add_variant(DIRECTORY [DEFINITION…]): a libMetal.so in DIRECTORY; clients find it by LD_LIBRARY_PATH.
function(add_variant name)
  add_library(variant_${name} SHARED "${shim_tests}/variant_metal.mm")
  target_compile_definitions(variant_${name} PRIVATE ${ARGN})
  target_link_libraries(variant_${name} PRIVATE objc)
  # CMake knows no flag for the soname of an Objective-C++ library.
  target_link_options(variant_${name} PRIVATE -Wl,-soname,libMetal.so)
  set_target_properties(variant_${name} PROPERTIES
    OUTPUT_NAME Metal LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/variants/${name}")
endfunction()
add_variant(with_init)
add_variant(without_init VARIANT_WITHOUT_INIT)
add_variant(list_only VARIANT_WITHOUT_INIT VARIANT_WITHOUT_DEFAULT_DEVICE)

add_library(variant_bundle MODULE "${shim_tests}/variant_bundle.mm")
target_link_libraries(variant_bundle PRIVATE variant_with_init objc)
set_target_properties(variant_bundle PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/variants" SKIP_BUILD_RPATH ON)

add_executable(variant-client "${shim_tests}/variant_client.mm")
target_link_libraries(variant-client PRIVATE variant_with_init objc)
add_executable(late-variant-client "${shim_tests}/variant_client.mm")
target_compile_definitions(late-variant-client PRIVATE VARIANT_CLIENT_OPENS_METAL)
target_link_libraries(late-variant-client PRIVATE objc)
add_executable(stress-client "${shim_tests}/stress_client.mm")
target_link_libraries(stress-client PRIVATE variant_with_init objc)
add_executable(handoff-client "${shim_tests}/handoff_client.mm")
target_link_libraries(handoff-client PRIVATE variant_with_init objc)
set_target_properties(variant-client late-variant-client stress-client handoff-client PROPERTIES
  SKIP_BUILD_RPATH ON)

add_executable(scope-client "${shim_tests}/scope_client.cpp")
