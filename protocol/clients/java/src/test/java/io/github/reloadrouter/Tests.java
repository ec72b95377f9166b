package io.github.reloadrouter;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Tests of the parts of the client; the conformance tests of all clients test the whole. */
public final class Tests {
    private static int ran;
    private static int failed;

    private Tests() {}

    private interface Body {
        void run() throws Exception;
    }

    /** Runs all tests; the exit code is 1 if one fails. */
    public static void main(String[] arguments) {
        test("JSON is read as it is written", Tests::jsonIsReadAsWritten);
        test("an outbox cut off at any byte keeps the whole pushes", Tests::outboxIsCutAnywhere);
        test("options that make no sense are refused", Tests::optionsAreChecked);
        test("a listener may not wait, and may fail", Tests::listenerMayNotWait);
        System.out.println("Ran " + ran + " tests in Java: " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void test(String name, Body body) {
        ran++;
        try {
            body.run();
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.println("FAILED: " + name);
            e.printStackTrace(System.out);
        }
    }

    private static void jsonIsReadAsWritten() {
        String text = "{\"a\":[1,-2.5,true,false,null,{},[]],"
                + "\"\\u00e9\\n\":\"\\\"\\\\ \\ud83d\\udc09\",\"b\":{\"c\":9007199254740991}}";
        Object value = Json.parse(text);
        assertEqual(Json.parse(Json.write(value)), value);
        assertEqual(((Map<?, ?>) value).get("é\n"), "\"\\ 🐉");
        assertEqual(Json.parse(" [ 1 , 2 ] "), List.of(1L, 2L));
        for (String other : new String[] {
            "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"", "\"\\", "\"\\u12", "\"\\u12x4\"", "tru", "1 2",
            "{a:1}", "1\0", "[".repeat(200)
        }) {
            assertThrows(IllegalArgumentException.class, () -> Json.parse(other));
        }
    }

    // The outbox.

    private static byte[] push(long seq) {
        return Frames.encode(Frames.PUSH, seq, "{\"n\":" + seq + ",\"text\":\"" + "x".repeat(30) + "\"}");
    }

    /** Appends pushes to a file; returns the numbers of those that were in it before. */
    private static List<Long> pushes(Path path, String producer, long... appended) throws IOException {
        List<Long> found = new ArrayList<>();
        try (Outbox outbox = new Outbox(path, "a", producer, frame -> {
            check(Arrays.equals(frame, push(Frames.seq(frame))), "another push is loaded");
            found.add(Frames.seq(frame));
        })) {
            for (long seq : appended) {
                outbox.append(push(seq));
            }
        }
        return found;
    }

    private static void outboxIsCutAnywhere() throws IOException {
        Path path = temporaryFile();
        pushes(path, "p", 1, 2);
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length <= whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            int cut = whole.length - length;
            List<Long> kept = cut == 0 ? List.of(1L, 2L) : cut <= push(2).length ? List.of(1L) : List.of();
            assertEqual(pushes(path, "p", 3), kept);
            assertEqual(pushes(path, "p").size(), kept.size() + 1);
        }
    }

    private static Path temporaryFile() throws IOException {
        Path path = Files.createTempFile("outbox", "");
        path.toFile().deleteOnExit();
        return path;
    }

    // The whole.

    private static void optionsAreChecked() {
        PublisherOptions options = PublisherOptions.of("localhost:1", "a", "p");
        assertEqual(options.address(), "localhost:1");
        assertEqual(PublisherOptions.of("[::1]", "a", "p").address(), "[::1]:7410");
        assertThrows(IllegalArgumentException.class, () -> options.queuedPushes(0));
        assertThrows(IllegalArgumentException.class, () -> options.queuedBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> options.attemptTimeout(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> Push.of("{}").expiringAt(Instant.MAX));
        options.authority(Path.of("/there/is/no/such/file.pem"));
        assertThrows(PublisherException.class, () -> Publisher.connect(options));
    }

    private static void listenerMayNotWait() throws Exception {
        List<String> seen = new ArrayList<>();
        Publisher[] publisher = new Publisher[1];
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            publisher[0] = Publisher.start(PublisherOptions.of("127.0.0.1", "a", "p")
                    .port(server.getLocalPort())
                    .plain()
                    .onEvent(event -> {
                        if (event instanceof PublisherEvent.Rejected) {
                            Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> seen.add("failed"));
                            assertThrows(
                                    IllegalStateException.class, () -> publisher[0].flush(Duration.ofSeconds(1)));
                            seen.add("refused");
                            throw new IllegalArgumentException("a fault of the listener");
                        }
                    }));
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream();
                in.readNBytes(in.readInt());
                out.write(Frames.encode(Frames.WELCOME, 0, "{\"v\":1,\"window\":9}"));
                assertEqual(publisher[0].push("[]"), 1L);
                assertEqual(publisher[0].push("{}"), 2L);
                in.readNBytes(in.readInt());
                in.readNBytes(in.readInt());
                out.write(Frames.encode(Frames.REJECT, 1, "{\"code\":\"payload-not-object\"}"));
                out.write(Frames.encode(Frames.ACK, 2, "\0\0\0\0"));
                check(publisher[0].flush(Duration.ofSeconds(10)), "the pushes are not settled");
                assertEqual(seen, List.of("refused", "failed"));
                assertEqual(publisher[0].statistics(), new PublisherStatistics(0, 2, 1, 1, 0, 0));
            }
            publisher[0].close();
            assertThrows(PublisherException.class, () -> publisher[0].tryPush("{}"));
        }
    }

    // Checks.

    private static void check(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }

    private static void assertEqual(Object found, Object wanted) {
        check(wanted.equals(found), "found " + found + ", wanted " + wanted);
    }

    private static void assertThrows(Class<? extends Exception> type, Body body) {
        try {
            body.run();
        } catch (Exception e) {
            check(type.isInstance(e), "thrown: " + e);
            return;
        }
        throw new AssertionError("nothing is thrown");
    }
}
