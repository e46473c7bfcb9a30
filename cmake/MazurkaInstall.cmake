# What `cmake --install` (or `make install`) puts where. The binary finds its runtime relative to itself, in
# ../lib/mazurka, so the whole may be moved, and lib is lib on every distribution.
include(CMakePackageConfigHelpers)

install(TARGETS mazurka RUNTIME DESTINATION bin)
foreach(name mazurka-cc mazurka-c++)
  install(CODE "execute_process(COMMAND \${CMAKE_COMMAND} -E create_symlink mazurka ${name}
    WORKING_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\" COMMAND_ERROR_IS_FATAL ANY)")
endforeach()
install(TARGETS mazurka_runtime ARCHIVE DESTINATION lib/mazurka)
install(FILES runtime/exports.list DESTINATION lib/mazurka)
if(TARGET mazurka_mpi)
  install(TARGETS mazurka_mpi LIBRARY DESTINATION lib/mazurka)
endif()
install(TARGETS mazurka_as RUNTIME DESTINATION lib/mazurka/tools)
# Once for programs that are built with Mazurka, and once where every compiler looks, for those that are also built
# without.
install(DIRECTORY include/mazurka DESTINATION lib/mazurka/include)
install(DIRECTORY include/mazurka DESTINATION include)

# The binary writes its own manual, from its table of options.
install(CODE "execute_process(COMMAND \"$<TARGET_FILE:mazurka>\" manual OUTPUT_FILE \"${CMAKE_BINARY_DIR}/share/mazurka.1\"
  COMMAND_ERROR_IS_FATAL ANY)")
install(FILES "${CMAKE_BINARY_DIR}/share/mazurka.1" DESTINATION share/man/man1)
install(FILES cmake/mazurka.bash DESTINATION share/bash-completion/completions RENAME mazurka)

write_basic_package_version_file("${CMAKE_BINARY_DIR}/share/mazurka-config-version.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES cmake/mazurka-config.cmake cmake/MazurkaDiscovery.cmake "${CMAKE_BINARY_DIR}/share/mazurka-config-version.cmake"
  DESTINATION lib/cmake/mazurka)
