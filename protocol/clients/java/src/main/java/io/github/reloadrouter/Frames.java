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
    static final int HELLO = 0x01, WELCOME = 0x02, PING = 0x03, PONG = 0x04;
    static final int PUSH = 0x10, ACK = 0x11, REJECT = 0x12, OUTCOME = 0x13, ERROR = 0x7e, GOAWAY = 0x7f;
    /** Frames of types from here on that the client does not know are passed over. */
    static final int FIRST_IGNORED = 0x40;

    static final int URGENT = 0x01, EXPIRES = 0x02, KINDS = 0x04;
    static final int HEADER_BYTES = 16;
    /** The longest frame that is read. */
    static final int MOST_BYTES = HEADER_BYTES + (1 << 20);

    private static final byte[] NOTHING = {};

    private Frames() {}

    /** Returns a frame whose body consists of parts. */
    static byte[] encode(int type, int flags, long seq, byte[]... parts) {
        int length = HEADER_BYTES;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer frame = ByteBuffer.allocate(length);
        frame.putInt(length - 4).putInt(type << 24 | flags << 16).putLong(seq);
        for (byte[] part : parts) {
            frame.put(part);
        }
        return frame.array();
    }

    static byte[] encode(int type, long seq, String body) {
        return encode(type, 0, seq, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the frame that opens a session, or an outbox; what is null, or false, is left out. */
    static byte[] hello(String app, String token, String producer, boolean outcomes, Long acked) {
        return encode(HELLO, 0, "{\"v\":1,\"role\":\"publisher\",\"app\":" + Json.write(app)
                + (token == null ? "" : ",\"token\":" + Json.write(token))
                + ",\"producer\":" + Json.write(producer) + (outcomes ? ",\"outcomes\":true" : "")
                + (acked == null ? "" : ",\"acked\":" + acked) + "}");
    }

    /** Returns a push as a frame, which has no number yet. */
    static byte[] encode(Push push) {
        byte[] date = NOTHING;
        byte[] kinds = NOTHING;
        int flags = push.urgent() ? URGENT : 0;
        if (push.expiresAt() != null) {
            flags |= EXPIRES;
            date = ByteBuffer.allocate(8).putLong(push.expiresAt().toEpochMilli()).array();
        }
        if (push.kinds() != null) {
            flags |= KINDS;
            kinds = kinds(push.kinds());
        }
        return encode(PUSH, flags, 0, date, kinds, push.payload());
    }

    private static byte[] kinds(List<String> kinds) {
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
        ByteBuffer list = ByteBuffer.allocate(2 + names.size());
        return list.putShort((short) names.size()).put(names.toByteArray()).array();
    }

    /**
     * Takes the next frame from some bytes; null if it is not all there yet.
     *
     * @throws IllegalArgumentException if its length is not one that a frame may have
     */
    static byte[] next(ByteBuffer bytes) {
        if (bytes.remaining() < 4) {
            return null;
        }
        long length = 4 + Integer.toUnsignedLong(bytes.getInt(bytes.position()));
        if (length < HEADER_BYTES || length > MOST_BYTES) {
            throw new IllegalArgumentException("no frame has " + length + " bytes");
        }
        if (length > bytes.remaining()) {
            return null;
        }
        byte[] frame = new byte[(int) length];
        bytes.get(frame);
        return frame;
    }

    static int type(byte[] frame) { return frame[4] & 0xff; }

    static long seq(byte[] frame) { return ByteBuffer.wrap(frame).getLong(8); }

    /** Returns the text of a frame's body. */
    static String body(byte[] frame) {
        return new String(frame, HEADER_BYTES, frame.length - HEADER_BYTES, StandardCharsets.UTF_8);
    }
}
