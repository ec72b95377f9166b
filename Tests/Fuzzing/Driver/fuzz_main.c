#include "FuzzingDriver.h"
#include <stddef.h>
#include <stdint.h>

// Of FuzzTarget.swift.
int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

#ifdef LIBFUZZER

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *, size_t));

int fuzz_main(int argc, char **argv) {
    return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput);
}

#else

#include <stdio.h>

// The longest input that a file may have.
enum { longest = 1 << 20 };

// Runs each file that the arguments name once, and prints its name before, so that the last line names
// the one that ended the process.
int fuzz_main(int argc, char **argv) {
    static uint8_t bytes[longest];
    LLVMFuzzerInitialize(&argc, &argv);
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-') continue;
        puts(argv[i]);
        fflush(stdout);
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t count = fread(bytes, 1, longest, file);
        fclose(file);
        LLVMFuzzerTestOneInput(bytes, count);
    }
    return 0;
}

#endif
