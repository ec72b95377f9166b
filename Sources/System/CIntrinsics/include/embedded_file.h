// Files whose bytes are part of the program.
#pragma once

#include <stddef.h>

/// The bytes of a file as it was when the program was built. They never change and are never freed.
typedef struct __attribute__((swift_attr("@Sendable"), swift_attr("@safe"))) {
    const unsigned char *bytes;
    size_t count;
} EmbeddedFile;

// A C file embeds one with three lines, because a directive cannot stand in a macro:
//
//     BEGIN_FILE(page_html)
//     #embed "page.html"
//     END_FILE(page_html)
//
// `#embed` is C23's, and Clang has it since 19. An array literal of Swift, which has a number for each
// byte, takes its compiler about 0.3 ms a byte, on one core.
#pragma clang diagnostic ignored "-Wc23-extensions"

#define BEGIN_FILE(name) static const unsigned char name##_bytes[] = {
#define END_FILE(name)                                                                              \
    };                                                                                              \
    const EmbeddedFile name = {name##_bytes, sizeof name##_bytes};
