// The router's frames, as far as the reference servers read them.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    FRAME_HEADER_SIZE = 16,
    /// What the length field counts besides the body: the part of the header after the field.
    FRAME_LENGTH_BASE = 12,
    FRAME_LARGEST_BODY = 65536,
    FRAME_ACK_SIZE = FRAME_HEADER_SIZE + 4,
};

enum frame_type {
    FRAME_HELLO = 0x01,
    FRAME_WELCOME = 0x02,
    FRAME_PUSH = 0x10,
    FRAME_ACK = 0x11,
    FRAME_RELOAD = 0x30,
};

/// One received frame; `body` points into the bytes it was parsed from.
struct frame {
    const uint8_t *body;
    size_t body_size;
    uint64_t seq;
    uint8_t type;
};

// Written as shifts, which compilers turn into one load or store and a byte swap.

static inline uint32_t load_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint64_t load_u64(const uint8_t *bytes) {
    return (uint64_t)load_u32(bytes) << 32 | load_u32(bytes + 4);
}

static inline void store_u32(uint8_t *bytes, uint32_t value) {
    bytes[0] = (uint8_t)(value >> 24);
    bytes[1] = (uint8_t)(value >> 16);
    bytes[2] = (uint8_t)(value >> 8);
    bytes[3] = (uint8_t)value;
}

static inline void store_u64(uint8_t *bytes, uint64_t value) {
    store_u32(bytes, (uint32_t)(value >> 32));
    store_u32(bytes + 4, (uint32_t)value);
}

/// Parses the frame that starts at `bytes`. Returns its whole size, 0 if more bytes are needed, or
/// -1 if its length is out of bounds, which shows as soon as the length field is there.
static inline ptrdiff_t frame_parse(const uint8_t *bytes, size_t available, struct frame *frame) {
    if (available < 4) return 0;
    uint32_t length = load_u32(bytes);
    if (length - FRAME_LENGTH_BASE > FRAME_LARGEST_BODY) return -1;  // wraps if under the base
    size_t size = 4 + (size_t)length;
    if (available < size) return 0;
    frame->type = bytes[4];
    frame->seq = load_u64(bytes + 8);
    frame->body = bytes + FRAME_HEADER_SIZE;
    frame->body_size = size - FRAME_HEADER_SIZE;
    return (ptrdiff_t)size;
}

/// Writes a header with no flags.
static inline void frame_write_header(
    uint8_t *bytes, enum frame_type type, uint64_t seq, size_t body_size) {
    store_u32(bytes, (uint32_t)(FRAME_LENGTH_BASE + body_size));
    store_u32(bytes + 4, (uint32_t)type << 24);  // type, flags, reserved
    store_u64(bytes + 8, seq);
}

/// Writes an acknowledgement of all frames up to `seq`. Its count of matched widgets is 0: nothing
/// is matched here.
static inline void frame_write_ack(uint8_t *bytes, uint64_t seq) {
    frame_write_header(bytes, FRAME_ACK, seq, 4);
    store_u32(bytes + FRAME_HEADER_SIZE, 0);
}
