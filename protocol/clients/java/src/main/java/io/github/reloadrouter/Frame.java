package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A frame of the push protocol. Its bytes are: length u32, type, flags, two zeros, seq u64, body. All
 * integers are big-endian; the length counts what follows it.
 */
record Frame(int type, int flags, long seq, byte[] body) {
    static final int HELLO = 0x01, WELCOME = 0x02, PING = 0x03, PONG = 0x04;
    static final int PUSH = 0x10, ACK = 0x11, REJECT = 0x12, OUTCOME = 0x13, ERROR = 0x7e, GOAWAY = 0x7f;
    /** Frames of types from here on that the client does not know are passed over. */
    static final int FIRST_IGNORED = 0x40;

    private static final int URGENT = 0x01, EXPIRES = 0x02, KINDS = 0x04;
    private static final int HEADER_BYTES = 16;
    /** The longest body that is read. */
    private static final int MOST_BODY = 1 << 20;

    /** Returns a frame without flags and body. */
    static Frame of(int type, long seq) { return new Frame(type, 0, seq, new byte[0]); }

    /** Returns what begins an outbox, and a session, whose HELLO has further members. */
    static Frame hello(PublisherOptions options, String further) {
        String body = "{\"v\":1,\"role\":\"publisher\",\"app\":" + Json.write(options.app)
                + ",\"producer\":" + Json.write(options.producer) + further + "}";
        return new Frame(HELLO, 0, 0, body.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns a push, which has no number yet; its date and kinds precede the payload. */
    static Frame of(Push push) {
        var body = new ByteArrayOutputStream();
        int flags = push.urgent() ? URGENT : 0;
        if (push.expiresAt() != null) {
            flags |= EXPIRES;
            body.writeBytes(ByteBuffer.allocate(8).putLong(push.expiresAt().toEpochMilli()).array());
        }
        if (push.kinds() != null) {
            flags |= KINDS;
            body.writeBytes(kinds(push.kinds()));
        }
        body.writeBytes(push.payload());
        return new Frame(PUSH, flags, 0, body.toByteArray());
    }

    private static byte[] kinds(List<String> kinds) {
        var names = new ByteArrayOutputStream();
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
        return ByteBuffer.allocate(2 + names.size()).putShort((short) names.size()).put(names.toByteArray()).array();
    }

    /** Reads the next frame; throws {@link IllegalArgumentException} if its length is that of none. */
    static Frame read(DataInputStream in) throws IOException {
        long length = Integer.toUnsignedLong(in.readInt()) + 4;
        if (length < HEADER_BYTES || length > HEADER_BYTES + MOST_BODY) {
            throw new IllegalArgumentException("no frame has " + length + " bytes");
        }
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        in.readUnsignedShort();
        long seq = in.readLong();
        byte[] body = new byte[(int) length - HEADER_BYTES];
        in.readFully(body);
        return new Frame(type, flags, seq, body);
    }

    Frame withSeq(long number) { return new Frame(type, flags, number, body); }

    /** How many bytes the frame has. */
    int size() { return HEADER_BYTES + body.length; }

    byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(size());
        bytes.putInt(size() - 4).put((byte) type).put((byte) flags).putShort((short) 0).putLong(seq);
        return bytes.put(body).array();
    }

    /** Returns the number that is the body of an ACK. */
    long count() { return body.length < 4 ? 0 : Integer.toUnsignedLong(ByteBuffer.wrap(body).getInt()); }

    /** Returns the body as an object; throws {@link IllegalArgumentException} if it is none. */
    Map<String, Object> object() { return Json.object(new String(body, StandardCharsets.UTF_8)); }
}
