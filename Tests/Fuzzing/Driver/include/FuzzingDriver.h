// The fuzzer's main function; SwiftPM asks for it by this name, after the executable's.
int fuzz_main(int argc, char **argv);
