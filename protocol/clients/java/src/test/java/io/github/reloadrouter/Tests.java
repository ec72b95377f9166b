package io.github.reloadrouter;

import java.io.ByteArrayOutputStream;
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
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.TreeMap;

/** Tests of the parts of the client; the conformance tests of all clients test the whole. */
public final class Tests {
    private static final Path VECTORS = Path.of("../../vectors");
    private static final HexFormat HEX = HexFormat.of();
    private static int passed;
    private static int failed;

    private Tests() {}

    private interface Body {
        void run() throws Exception;
    }

    /** Runs all tests; the exit code is 1 if one fails. */
    public static void main(String[] arguments) {
        test("pushes are encoded as in the vectors", Tests::pushesAreEncoded);
        test("HELLO is encoded as in the vectors", Tests::helloIsEncoded);
        test("bodies of the router are read as in the vectors", Tests::bodiesAreRead);
        test("lengths that no frame may have are refused", Tests::lengthsAreChecked);
        test("kinds that do not fit their prefix are refused", Tests::kindsAreChecked);
        test("JSON is read as it is written", Tests::jsonIsReadAsWritten);
        test("what is not JSON is refused", Tests::otherTextIsRefused);
        test("the queue agrees with a model", Tests::queueAgreesWithModel);
        test("an outbox keeps what is not settled", Tests::outboxKeepsUnsettled);
        test("an outbox keeps many bytes", Tests::outboxKeepsManyBytes);
        test("an outbox cut off at any byte keeps the whole pushes", Tests::outboxIsCutAnywhere);
        test("an outbox is for one producer and one publisher", Tests::outboxIsForOneProducer);
        test("a file that is no outbox is left alone", Tests::otherFilesAreLeftAlone);
        test("limits that make no sense are refused", Tests::limitsAreChecked);
        test("addresses are read as commands read them", Tests::addressesAreRead);
        test("dates in another unit are refused", Tests::datesAreChecked);
        test("a listener may not wait, and may fail", Tests::listenerMayNotWait);
        System.out.println("Ran " + (passed + failed) + " tests in Java: " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void test(String name, Body body) {
        try {
            body.run();
            passed++;
        } catch (Exception | AssertionError e) {
            failed++;
            System.out.println("FAILED: " + name);
            e.printStackTrace(System.out);
        }
    }

    // Frames.

    private static void pushesAreEncoded() throws IOException {
        Push potion = Push.of(
                "{\"event\":\"healing-potion\",\"character\":\"elf-42\",\"amount\":25}");
        Instant date = Instant.ofEpochMilli(1_795_000_000_000L);
        assertEncodes("push", 124, potion);
        assertEncodes("push-empty", 125, Push.of("{}"));
        assertEncodes("push-urgent", 127, potion.asUrgent());
        assertEncodes("push-expires", 128, potion.expiringAt(date));
        assertEncodes("push-urgent-expires", 129, potion.asUrgent().expiringAt(date));
        List<String> board = List.of("com.mygame.leaderboard");
        List<String> both = List.of("com.mygame.leaderboard", "com.mygame.character-detail");
        assertEncodes("push-kinds", 126, potion.forKinds(board));
        assertEncodes("push-kinds-two", 126, potion.forKinds(both));
        assertEncodes("push-kinds-none", 126, potion.forKinds(List.of()));
        assertEncodes("push-kinds-member", 126, Push.of("{\"kinds\":7}"));
        assertEncodes("push-all-flags", 129, potion.asUrgent().expiringAt(date).forKinds(board));
        assertEncodes("push-largest-seq", (1L << 53) - 1, Push.of("{}"));
    }

    private static void assertEncodes(String name, long seq, Push push) throws IOException {
        assertEqual(HEX.formatHex(frame(seq, push)), vector("frames.json", name).get("hex"));
    }

    private static byte[] frame(long seq, Push push) {
        byte[] frame = Frames.encode(push);
        Frames.setSeq(frame, seq);
        return frame;
    }

    private static void helloIsEncoded() throws IOException {
        PublisherOptions options =
                PublisherOptions.of("localhost", "com.mygame", "shard-7").token("t");
        assertEqual(
                HEX.formatHex(RouterConnection.hello(options, 120)),
                vector("frames.json", "hello-acked").get("hex"));
    }

    private static void bodiesAreRead() throws IOException {
        Map<?, ?> welcome = body("welcome-rejected");
        assertEqual(Json.number(welcome, "lastSeq", -1), 123L);
        Map<?, ?> first = (Map<?, ?>) ((List<?>) welcome.get("rejected")).get(0);
        assertEqual(Json.number(first, "seq", -1), 122L);
        assertEqual(Json.number(body("welcome-device"), "lastSeq", -1), -1L);
        assertEqual(Json.text(body("reject"), "code", ""), "payload-not-json");
        assertEqual(Json.text(body("error"), "retry", ""), "no");
        assertEqual(Json.text(body("error-later"), "retry", ""), "later");
        assertEqual(Json.text(body("error-reconnect"), "retry", ""), "reconnect");
        assertEqual(Json.text(body("goaway"), "reason", ""), "drain");
    }

    private static Map<?, ?> body(String name) throws IOException {
        byte[] bytes = HEX.parseHex((String) vector("frames.json", name).get("hex"));
        assertEqual(Frames.length(bytes, 0, bytes.length), bytes.length);
        return RouterConnection.body(bytes, 0, bytes.length);
    }

    private static void lengthsAreChecked() throws IOException {
        for (String name : new String[] {"length-11", "length-huge"}) {
            byte[] bytes = HEX.parseHex((String) vector("malformed.json", name).get("hex"));
            assertEqual(Frames.length(bytes, 0, bytes.length), -1);
            assertEqual(Frames.length(bytes, 0, 3), 0);
        }
    }

    private static void kindsAreChecked() {
        assertEqual(HEX.formatHex(Frames.kinds(List.of("a", "bc"))), "0005016102" + "6263");
        assertEqual(HEX.formatHex(Frames.kinds(List.of())), "0000");
        assertThrows(IllegalArgumentException.class, () -> Frames.kinds(List.of("x".repeat(256))));
        List<String> many = Collections.nCopies(1000, "x".repeat(128));
        assertThrows(IllegalArgumentException.class, () -> Frames.kinds(many));
    }

    private static Map<?, ?> vector(String file, String name) throws IOException {
        for (Object element : (List<?>) Json.parse(Files.readString(VECTORS.resolve(file)))) {
            if (name.equals(((Map<?, ?>) element).get("name"))) {
                return (Map<?, ?>) element;
            }
        }
        throw new NoSuchElementException(name);
    }

    // JSON.

    private static void jsonIsReadAsWritten() {
        String text = "{\"a\":[1,-2.5,true,false,null,{},[]],"
                + "\"\\u00e9\\n\":\"\\\"\\\\ \\ud83d\\udc09\",\"b\":{\"c\":9007199254740991}}";
        Object value = Json.parse(text);
        assertEqual(Json.parse(Json.write(value)), value);
        assertEqual(((Map<?, ?>) value).get("é\n"), "\"\\ 🐉");
        assertEqual(Json.parse(" [ 1 , 2 ] "), List.of(1L, 2L));
    }

    private static void otherTextIsRefused() {
        for (String text : new String[] {
            "", "{", "[1", "[1,]", "{\"a\"}", "{\"a\":}", "\"", "\"\\", "\"\\u12", "tru", "1 2",
            "{a:1}", "[".repeat(200)
        }) {
            assertThrows(IllegalArgumentException.class, () -> Json.parse(text));
        }
    }

    // The queue.

    private static void queueAgreesWithModel() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            PushQueue queue = new PushQueue();
            TreeMap<Long, byte[]> model = new TreeMap<>();
            long sent = 0;
            for (int step = 0; step < 400; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        int most = random.nextInt(10) == 0 ? 40_000 : 3000;
                        byte[] frame = new byte[16 + random.nextInt(most)];
                        random.nextBytes(frame);
                        model.put(queue.next(), frame);
                        queue.append(frame);
                    }
                    case 2 -> {
                        int window = 1 + random.nextInt(20);
                        long already = model.headMap(sent, true).size();
                        ByteArrayOutputStream found = new ByteArrayOutputStream();
                        ByteArrayOutputStream wanted = new ByteArrayOutputStream();
                        int count = queue.take(found, window, 1 + random.nextInt(100_000));
                        check(count == 0 || already + count <= window, "the window is exceeded");
                        for (int n = 0; n < count; n++) {
                            Map.Entry<Long, byte[]> next = model.higherEntry(sent);
                            sent = next.getKey();
                            wanted.writeBytes(next.getValue());
                        }
                        boolean isSame = Arrays.equals(found.toByteArray(), wanted.toByteArray());
                        check(isSame, "other frames are sent");
                    }
                    case 3 -> {
                        long seq = queue.settled() + random.nextInt(5);
                        if (seq <= sent) {
                            int count = model.headMap(seq, true).size();
                            model.headMap(seq, true).clear();
                            assertEqual(queue.settle(seq), count);
                        }
                    }
                    case 4 -> {
                        long seq = queue.settled() + random.nextInt(5);
                        assertEqual(queue.reject(seq), model.remove(seq) != null);
                    }
                    default -> {
                        if (random.nextInt(10) == 0) {
                            queue.rewind();
                            sent = 0;
                        }
                    }
                }
                assertEqual(queue.waiting(), model.size());
                assertEqual(
                        queue.byteCount(), model.values().stream().mapToLong(f -> f.length).sum());
            }
            assertEqual(queue.settle(queue.next() + 10), model.size());
            assertEqual(queue.settled() + 1, queue.next());
        }
    }

    // The outbox.

    private static void outboxKeepsUnsettled() throws IOException {
        Path path = temporaryFile();
        PushQueue queue = new PushQueue();
        try (Outbox outbox = new Outbox(path, "a", "p", queue)) {
            check(outbox.isNew(), "an empty outbox knows a number");
            outbox.settle(40, true);
            for (long seq = 41; seq <= 45; seq++) {
                append(outbox, seq);
            }
            outbox.reject(43);
            outbox.settle(41, false);
            outbox.sync();
        }
        try (Outbox outbox = new Outbox(path, "a", "p", queue)) {
            check(!outbox.isNew(), "the outbox has forgotten its numbers");
            assertEqual(queue.settled(), 41L);
            assertEqual(queue.next(), 46L);
            assertEqual(queue.waiting(), 3);
            long before = outbox.size();
            outbox.settle(45, true);
            check(outbox.size() < before, "what is settled takes space");
        }
        PushQueue empty = new PushQueue();
        new Outbox(path, "a", "p", empty).close();
        assertEqual(empty.next(), 46L);
        assertEqual(empty.waiting(), 0);
    }

    private static void outboxKeepsManyBytes() throws IOException {
        Path path = temporaryFile();
        Push push = Push.of("{\"text\":\"" + "x".repeat(3000) + "\"}");
        try (Outbox outbox = new Outbox(path, "a", "p", new PushQueue())) {
            for (long seq = 1; seq <= 100; seq++) {
                outbox.append(frame(seq, push));
            }
        }
        PushQueue queue = new PushQueue();
        new Outbox(path, "a", "p", queue).close();
        ByteArrayOutputStream loaded = new ByteArrayOutputStream();
        assertEqual(queue.take(loaded, 1000, 1 << 20), 100);
        int length = frame(1, push).length;
        for (int index = 0; index < 100; index++) {
            int start = index * length;
            byte[] found = Arrays.copyOfRange(loaded.toByteArray(), start, start + length);
            check(Arrays.equals(found, frame(index + 1, push)), "another push is loaded");
        }
    }

    private static void append(Outbox outbox, long seq) throws IOException {
        outbox.append(frame(seq, Push.of("{\"n\":" + seq + "}")));
    }

    private static void outboxIsCutAnywhere() throws IOException {
        Path path = temporaryFile();
        try (Outbox outbox = new Outbox(path, "a", "p", new PushQueue())) {
            outbox.settle(0, true);
            append(outbox, 1);
            append(outbox, 2);
        }
        byte[] whole = Files.readAllBytes(path);
        int one = frame(1, Push.of("{\"n\":1}")).length;
        for (int length = 0; length <= whole.length; length++) {
            Files.write(path, Arrays.copyOf(whole, length));
            PushQueue queue = new PushQueue();
            try (Outbox outbox = new Outbox(path, "a", "p", queue)) {
                int cut = whole.length - length;
                assertEqual(queue.waiting(), cut == 0 ? 2 : cut <= one ? 1 : 0);
                outbox.settle(queue.settled(), queue.waiting() == 0);
                append(outbox, queue.next());
            }
            PushQueue again = new PushQueue();
            new Outbox(path, "a", "p", again).close();
            assertEqual(again.waiting(), queue.waiting() + 1);
        }
    }

    private static void outboxIsForOneProducer() throws IOException {
        Path path = temporaryFile();
        try (Outbox outbox = new Outbox(path, "a", "p", new PushQueue())) {
            outbox.settle(0, true);
            assertThrows(IOException.class, () -> new Outbox(path, "a", "p", new PushQueue()));
        }
        assertThrows(IOException.class, () -> new Outbox(path, "a", "other", new PushQueue()));
        new Outbox(path, "a", "p", new PushQueue()).close();
    }

    private static void otherFilesAreLeftAlone() throws IOException {
        Path path = temporaryFile();
        for (String text : new String[] {"notes that matter", "x", "\0\0\0\0\0\0"}) {
            Files.writeString(path, text);
            assertThrows(IOException.class, () -> new Outbox(path, "a", "p", new PushQueue()));
            assertEqual(Files.readString(path), text);
        }
    }

    private static Path temporaryFile() throws IOException {
        Path path = Files.createTempFile("outbox", "");
        path.toFile().deleteOnExit();
        return path;
    }

    // The whole.

    private static void limitsAreChecked() {
        PublisherOptions options = PublisherOptions.of("localhost", "a", "p");
        assertThrows(IllegalArgumentException.class, () -> options.queuedPushes(0));
        assertThrows(IllegalArgumentException.class, () -> options.queuedBytes(-1));
        assertThrows(IllegalArgumentException.class, () -> options.attemptTimeout(Duration.ZERO));
        options.authority(Path.of("/there/is/no/such/file.pem"));
        assertThrows(PublisherException.class, () -> Publisher.connect(options));
    }

    private static void addressesAreRead() {
        Map<String, String> addresses = Map.of(
                "router.example", "router.example:7410", "router.example:1", "router.example:1",
                "[::1]:65535", "[::1]:65535", "[::1]", "[::1]:7410", "::1", "[::1]:7410",
                "127.0.0.1", "127.0.0.1:7410");
        addresses.forEach((text, wanted) ->
                assertEqual(PublisherOptions.of(text, "a", "p").address(), wanted));
        for (String text : List.of("", ":7410", "a:", "a:0", "a:65536", "a:http", "a:1:2", "[::1",
                "[::1]7410", "[a]:1", "https://a:1", "a/b", "u@a:1", "a b:1")) {
            assertThrows(IllegalArgumentException.class, () -> PublisherOptions.of(text, "a", "p"));
        }
        assertThrows(
                IllegalArgumentException.class, () -> PublisherOptions.of("a:1", "a", "p").port(2));
        assertEqual(PublisherOptions.of("a:1", "a", "p").port(1).address(), "a:1");
    }

    private static void datesAreChecked() {
        Push push = Push.of("{}");
        for (long date : new long[] {0, 1_795_000_000L, 816_692_800L, 1_795_000_000_000_000L}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> push.expiringAt(Instant.ofEpochMilli(date)));
        }
        assertThrows(IllegalArgumentException.class, () -> push.expiringAt(Instant.MAX));
    }

    private static void listenerMayNotWait() throws Exception {
        List<String> seen = new ArrayList<>();
        Publisher[] publisher = new Publisher[1];
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PublisherOptions options = PublisherOptions.of("127.0.0.1", "a", "p")
                    .port(server.getLocalPort())
                    .plain()
                    .onEvent(event -> {
                        if (event instanceof PublisherEvent.Rejected) {
                            try {
                                publisher[0].flush(Duration.ofSeconds(1));
                            } catch (IllegalStateException | InterruptedException e) {
                                seen.add(e.getClass().getSimpleName());
                            }
                            Thread.currentThread()
                                    .setUncaughtExceptionHandler((thread, e) -> seen.add("failed"));
                            throw new IllegalArgumentException("a fault of the listener");
                        }
                    });
            publisher[0] = Publisher.start(options);
            try (Socket socket = server.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.readNBytes(in.readInt());
                OutputStream out = socket.getOutputStream();
                out.write(Frames.encode(Frames.WELCOME, 0, "{\"v\":1,\"window\":9}"));
                assertEqual(publisher[0].push("[]"), 1L);
                assertEqual(publisher[0].push("{}"), 2L);
                in.readNBytes(in.readInt());
                in.readNBytes(in.readInt());
                out.write(Frames.encode(Frames.REJECT, 1, "{\"code\":\"payload-not-object\"}"));
                out.write(Frames.encode(Frames.ACK, 2, "\0\0\0\0"));
                check(publisher[0].flush(Duration.ofSeconds(10)), "the pushes are not settled");
                assertEqual(seen, List.of("IllegalStateException", "failed"));
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
