// What code that is built for fuzzing calls at each branch and comparison, for programs without libFuzzer,
// which has its own: https://clang.llvm.org/docs/SanitizerCoverage.html. Weak, so that libFuzzer's win.
#include <stdint.h>

#define WEAK __attribute__((weak))

WEAK _Thread_local uintptr_t __sancov_lowest_stack;
WEAK void __sanitizer_cov_8bit_counters_init(char *start, char *end) {}
WEAK void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *end) {}
WEAK void __sanitizer_cov_trace_pc_indir(uintptr_t callee) {}
WEAK void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) {}
WEAK void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) {}
WEAK void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) {}
WEAK void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) {}
WEAK void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) {}
WEAK void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) {}
WEAK void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) {}
WEAK void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) {}
WEAK void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) {}
