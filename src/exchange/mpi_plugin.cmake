# The MPI plug-in, beside the binary; left out where there is no MPI.
find_package(MPI COMPONENTS C QUIET)
if(MPI_C_FOUND)
  add_library(saccade_mpi MODULE exchange/mpi/message_verbs.cpp exchange/mpi/mpi_communicator.cpp)
  target_link_libraries(saccade_mpi PRIVATE saccade_common MPI::MPI_C)
  set_target_properties(saccade_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} CXX_VISIBILITY_PRESET hidden)
  target_link_options(saccade_mpi PRIVATE -Wl,--exclude-libs,ALL)
  target_include_directories(saccade_mpi PRIVATE ${CMAKE_SOURCE_DIR}/src)
  add_dependencies(saccade_exchange saccade_mpi) # so that every build of the ranks has it
else()
  message(STATUS "MPI was not found: the plug-in for mpirun is left out")
endif()
