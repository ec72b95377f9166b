package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The bytes of the push protocol's frames: length u32, type, flags, two zeros, seq u64, body. All
 * integers are big-endian; the length counts what follows it.
 */
final class Frames {
    static final int HELLO = 0x01;
    static final int WELCOME = 0x02;
    static final int PING = 0x03;
    static final int PONG = 0x04;
    static final int PUSH = 0x10;
    static final int ACK = 0x11;
    static final int REJECT = 0x12;
    static final int OUTCOME = 0x13;
    static final int ERROR = 0x7e;
    static final int GOAWAY = 0x7f;

    /** Frames of types from here on that the client does not know are passed over. */
    static final int FIRST_IGNORED = 0x40;

    static final int URGENT = 0x01;
    static final int EXPIRES = 0x02;
    static final int KINDS = 0x04;

    static final int HEADER_BYTES = 16;

    /** The longest body that is accepted from a router. */
    static final int MOST_BODY_BYTES = 1 << 20;

    private static final byte[] NOTHING = {};

    private Frames() {}

    /** Returns a frame whose body consists of parts. */
    static byte[] encode(int type, int flags, long seq, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + length)
                .putInt(HEADER_BYTES - 4 + length)
                .putInt(type << 24 | flags << 16)
                .putLong(seq);
        for (byte[] part : parts) {
            frame.put(part);
        }
        return frame.array();
    }

    static byte[] encode(int type, long seq, String body) {
        return encode(type, 0, seq, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a push as a frame, which has no number yet. */
    static byte[] encode(Push push) {
        int flags = push.urgent() ? URGENT : 0;
        byte[] date = NOTHING;
        if (push.expiresAt() != null) {
            flags |= EXPIRES;
            date = ByteBuffer.allocate(8)
                    .putLong(push.expiresAt().toEpochMilli())
                    .array();
        }
        flags |= push.kinds() == null ? 0 : KINDS;
        return encode(PUSH, flags, 0, date, kinds(push.kinds()), push.payload());
    }

    /** Gives a frame a number. */
    static void setSeq(byte[] frame, long seq) {
        ByteBuffer.wrap(frame).putLong(8, seq);
    }

    /** Returns the prefix of a PUSH body that lists kinds; empty if the push has all kinds. */
    static byte[] kinds(List<String> kinds) {
        if (kinds == null) {
            return NOTHING;
        }
        ByteArrayOutputStream names = new ByteArrayOutputStream();
        for (String kind : kinds) {
            byte[] name = kind.getBytes(StandardCharsets.UTF_8);
            if (name.length < 1 || name.length > 128) {
                throw new IllegalArgumentException("a kind has 1 to 128 bytes");
            }
            names.write(name.length);
            names.writeBytes(name);
        }
        if (names.size() > 0xffff) {
            throw new IllegalArgumentException("the kinds have more than 65,535 bytes");
        }
        return ByteBuffer.allocate(2 + names.size())
                .putShort((short) names.size())
                .put(names.toByteArray())
                .array();
    }

    /**
     * Returns the length of the frame at an offset; 0 if its first four bytes are not there
     * yet, and -1 if the length is not one that a frame may have.
     */
    static int length(byte[] bytes, int offset, int end) {
        if (end - offset < 4) {
            return 0;
        }
        long length = 4 + (ByteBuffer.wrap(bytes).getInt(offset) & 0xffffffffL);
        return length < HEADER_BYTES || length > HEADER_BYTES + MOST_BODY_BYTES ? -1 : (int) length;
    }

    /** Returns the number at the beginning of a frame's body. */
    static int count(byte[] bytes, int offset) {
        return ByteBuffer.wrap(bytes).getInt(offset + HEADER_BYTES);
    }

    static long seq(byte[] bytes, int offset) {
        return ByteBuffer.wrap(bytes).getLong(offset + 8);
    }
}
