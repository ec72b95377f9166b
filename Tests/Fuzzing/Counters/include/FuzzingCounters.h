// Nothing to call: the compiler does, in code that is built for fuzzing.
