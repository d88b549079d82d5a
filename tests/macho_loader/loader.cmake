# A loader for Mach-O libraries, to be preloaded, in MACHO_LOADER_DIRECTORY; and one for a program.
set(macho_loader "${CMAKE_CURRENT_LIST_DIR}")
set(loader_sources
  "${macho_loader}/chained_fixups.cpp" "${macho_loader}/darwin_calls.cpp" "${macho_loader}/darwin_numbers.cpp"
  "${macho_loader}/image.cpp" "${macho_loader}/insert.cpp" "${macho_loader}/libraries.cpp" "${macho_loader}/mapping.cpp"
  "${macho_loader}/objective_c.cpp" "${macho_loader}/opcode_fixups.cpp" "${macho_loader}/slice.cpp")
add_library(macho_loader MODULE ${loader_sources})
target_compile_options(macho_loader PRIVATE -O1 -fvisibility=hidden)
target_link_options(macho_loader PRIVATE -static-libgcc -static-libstdc++ -Wl,-z,defs -Wl,--gc-sections
  "-Wl,--version-script=${macho_loader}/exports.map")
set_target_properties(macho_loader PROPERTIES
  OUTPUT_NAME macho-loader
  LIBRARY_OUTPUT_DIRECTORY "${MACHO_LOADER_DIRECTORY}"
  LINK_DEPENDS "${macho_loader}/exports.map")

# macho-run PROGRAM WORD…: the same for a program, over the recorded guest.
add_executable(macho-run
  "${macho_loader}/run_program.cpp" "${macho_loader}/darwin_characters.cpp" "${macho_loader}/darwin_machine.cpp"
  "${macho_loader}/darwin_program.cpp" ${loader_sources})
target_compile_options(macho-run PRIVATE -O1)
target_link_libraries(macho-run PRIVATE recorded_guest)
