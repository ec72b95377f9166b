package io.github.reloadrouter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Tests of what is Java's own; the conformance tests of all clients test the whole. */
public final class Tests {
    private Tests() {}

    private interface Body {
        void run() throws Exception;
    }

    /** Runs all tests; the first one that fails ends the program with its reason. */
    public static void main(String[] arguments) throws Exception {
        jsonIsReadAsWritten();
        anOutboxCutOffAtAnyByteKeepsTheWholePushes();
        optionsThatMakeNoSenseAreRefused();
        aListenerMayNotWaitAndMayFail();
        System.out.println("Ran 4 tests in Java");
    }

    private static void jsonIsReadAsWritten() {
        Map<String, Object> value = Json.object("""
                 { "a" : [1,-2.5,true,false,null,{},[]],
                "\\u00e9\\n":"\\"\\\\ \\ud83d\\udc09","b":{"c":9007199254740991}}""");
        assertEqual(Json.object(Json.write(value)), value);
        assertEqual(value.get("é\n"), "\"\\ 🐉");
        assertEqual(value.get("a"), Arrays.asList(1L, -2.5, true, false, null, Map.of(), List.of()));
        for (String text : List.of(
                "", "1", "[]", "{", "{}{}", "{}\0", "{'a'}", "{'a':}", "{a:1}", "{'a':[1", "{'a':[1,]}", "{'a':1 2}",
                "{'a':tru}", "{'a':'", "{'a':'\\", "{'a':'\\u12", "{'a':'\\u12x4'}", "{'a':".repeat(200))) {
            assertThrows(IllegalArgumentException.class, () -> Json.object(text.replace('\'', '"')));
        }
    }

    private static void anOutboxCutOffAtAnyByteKeepsTheWholePushes() throws IOException {
        Path path = Files.createTempFile("outbox", "");
        path.toFile().deleteOnExit();
        reopen(path, 1, 2);
        byte[] whole = Files.readAllBytes(path);
        for (int length = 0; length <= whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            int cut = whole.length - length;
            List<Long> kept = cut == 0 ? List.of(1L, 2L) : cut <= push(2).size() ? List.of(1L) : List.of();
            assertEqual(reopen(path, 3), kept);
            assertEqual(reopen(path).size(), kept.size() + 1);
        }
    }

    /** Appends pushes to an outbox; returns the numbers of those that were in it before. */
    private static List<Long> reopen(Path path, long... appended) throws IOException {
        List<Long> found = new ArrayList<>();
        try (Outbox outbox = new Outbox(PublisherOptions.of("localhost", "a", "p").outbox(path), frame -> {
            assertEqual(Arrays.toString(frame.bytes()), Arrays.toString(push(frame.seq()).bytes()));
            found.add(frame.seq());
        })) {
            for (long seq : appended) {
                outbox.append(push(seq));
            }
        }
        return found;
    }

    private static Frame push(long seq) { return new Frame(Frame.PUSH, 0, seq, "x".repeat(30).getBytes()); }

    private static void optionsThatMakeNoSenseAreRefused() {
        PublisherOptions options = PublisherOptions.of("localhost:1", "a", "p");
        assertEqual(options.address(), "localhost:1");
        assertEqual(PublisherOptions.of("[::1]", "a", "p").address(), "[::1]:7410");
        assertThrows(IllegalArgumentException.class, () -> options.queuedPushes(0));
        assertThrows(IllegalArgumentException.class, () -> options.queuedBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> options.connectLimit(Duration.ZERO));
        assertThrows(IllegalArgumentException.class, () -> Push.of("{}").expiringAt(Instant.MAX));
        options.authority(Path.of("/there/is/no/such/file.pem"));
        assertEqual(assertThrows(PublisherException.class, () -> Publisher.connect(options)).code(), "security");
    }

    private static void aListenerMayNotWaitAndMayFail() throws Exception {
        var publisher = new CompletableFuture<Publisher>();
        var failures = new LinkedBlockingQueue<String>();
        publisher.complete(Publisher.start(PublisherOptions.of("127.0.0.1:1", "a", "p").plain().onEvent(event -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> failures.add(e.getMessage()));
            assertThrows(IllegalStateException.class, () -> publisher.join().push("{}"));
            throw new IllegalArgumentException("failed at " + event.getClass().getSimpleName());
        })));
        assertEqual(failures.poll(10, TimeUnit.SECONDS), "failed at Disconnected");
        assertEqual(failures.poll(10, TimeUnit.SECONDS), "failed at Disconnected");
        publisher.join().close();
        assertEqual(assertThrows(PublisherException.class, () -> publisher.join().tryPush("{}")).code(), "closed");
    }

    private static void assertEqual(Object found, Object wanted) {
        if (!wanted.equals(found)) {
            throw new AssertionError("found " + found + ", wanted " + wanted);
        }
    }

    private static <E extends Exception> E assertThrows(Class<E> type, Body body) {
        try {
            body.run();
        } catch (Exception e) {
            assertEqual(type.isInstance(e), true);
            return type.cast(e);
        }
        throw new AssertionError("nothing is thrown");
    }
}
