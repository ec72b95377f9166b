package io.github.reloadrouter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Frames() {}

    static int getInt(byte[] bytes, int offset) {
        return (int) INT.get(bytes, offset);
    }

    static long getLong(byte[] bytes, int offset) {
        return (long) LONG.get(bytes, offset);
    }

    /** Writes a header for a body of some bytes. */
    static void putHeader(byte[] bytes, int offset, int type, int flags, long seq, int body) {
        INT.set(bytes, offset, HEADER_BYTES - 4 + body);
        INT.set(bytes, offset + 4, type << 24 | flags << 16);
        LONG.set(bytes, offset + 8, seq);
    }

    /** Returns a whole frame. */
    static byte[] encode(int type, long seq, String body) {
        byte[] utf8 = body.getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[HEADER_BYTES + utf8.length];
        putHeader(frame, 0, type, 0, seq, utf8.length);
        System.arraycopy(utf8, 0, frame, HEADER_BYTES, utf8.length);
        return frame;
    }

    static int flags(Push push) {
        return (push.urgent() ? URGENT : 0)
                | (push.expiresAt() == null ? 0 : EXPIRES)
                | (push.kinds() == null ? 0 : KINDS);
    }

    /** Returns the prefix of a PUSH body that lists kinds; empty if the push has all kinds. */
    static byte[] kinds(List<String> kinds) {
        if (kinds == null) {
            return new byte[0];
        }
        byte[][] names = new byte[kinds.size()][];
        int length = 2;
        for (int index = 0; index < names.length; index++) {
            names[index] = kinds.get(index).getBytes(StandardCharsets.UTF_8);
            if (names[index].length < 1 || names[index].length > 128) {
                throw new IllegalArgumentException("a kind has 1 to 128 bytes");
            }
            length += 1 + names[index].length;
        }
        if (length > 2 + 0xffff) {
            throw new IllegalArgumentException("the kinds have more than 65,535 bytes");
        }
        byte[] prefix = new byte[length];
        prefix[0] = (byte) (length - 2 >> 8);
        prefix[1] = (byte) (length - 2);
        int offset = 2;
        for (byte[] name : names) {
            prefix[offset++] = (byte) name.length;
            System.arraycopy(name, 0, prefix, offset, name.length);
            offset += name.length;
        }
        return prefix;
    }

    /** Writes a PUSH frame whose body has a length that {@link #bodyBytes} has returned. */
    static void putPush(byte[] bytes, int start, long seq, Push push, byte[] kinds) {
        putHeader(bytes, start, PUSH, flags(push), seq, bodyBytes(push, kinds));
        int offset = start + HEADER_BYTES;
        if (push.expiresAt() != null) {
            LONG.set(bytes, offset, Math.max(0, push.expiresAt().toEpochMilli()));
            offset += 8;
        }
        System.arraycopy(kinds, 0, bytes, offset, kinds.length);
        System.arraycopy(push.payload(), 0, bytes, offset + kinds.length, push.payload().length);
    }

    static int bodyBytes(Push push, byte[] kinds) {
        return (push.expiresAt() == null ? 0 : 8) + kinds.length + push.payload().length;
    }

    /**
     * Returns the length of the frame at an offset; 0 if its first four bytes are not there
     * yet, and -1 if the length is not one that a frame may have.
     */
    static int length(byte[] bytes, int offset, int end) {
        if (end - offset < 4) {
            return 0;
        }
        long length = 4 + (getInt(bytes, offset) & 0xffffffffL);
        return length < HEADER_BYTES || length > HEADER_BYTES + MOST_BODY_BYTES ? -1 : (int) length;
    }
}
