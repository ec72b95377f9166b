#include "FuzzingDriver.h"
#include <stddef.h>
#include <stdint.h>

// Of libFuzzer.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*input)(const uint8_t *, size_t));

// Of FuzzTarget.swift.
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);

int fuzz_main(int argc, char **argv) {
    return LLVMFuzzerRunDriver(&argc, &argv, LLVMFuzzerTestOneInput);
}
