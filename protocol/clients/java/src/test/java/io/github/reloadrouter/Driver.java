package io.github.reloadrouter;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Lets the conformance tests of all clients control a publisher by JSON lines. */
public final class Driver {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private Publisher publisher;

    private Driver() {}

    /** Reads commands until {@code close} or the end of the input. */
    public static void main(String[] arguments) throws Exception {
        Driver driver = new Driver();
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<String, Object> command = Json.object(line);
            try {
                driver.perform(command);
            } catch (PublisherException e) {
                print("error", e.code() + ": " + e.getMessage());
            } catch (IllegalArgumentException e) {
                print("error", e.getMessage());
            }
            if ("close".equals(command.get("do"))) {
                return;
            }
        }
    }

    private void perform(Map<String, Object> command) throws Exception {
        switch (Json.text(command, "do")) {
            case "connect" -> {
                PublisherOptions options = options(command);
                publisher = command.get("waitMs") == null
                        ? Publisher.start(options)
                        : Publisher.connect(options.connectLimit(time(command, "waitMs")));
            }
            case "push" -> print("pushed", publisher.push(push(command)));
            case "tryPush" -> {
                OptionalLong seq = publisher.tryPush(push(command));
                print(seq.isPresent() ? "pushed" : "full", seq.isPresent() ? seq.getAsLong() : true);
            }
            case "flush" -> print("flushed", publisher.flush(time(command, "timeoutMs")));
            case "statistics" -> print("statistics", members(publisher.statistics()));
            case "close" -> {
                if (publisher != null) {
                    publisher.close();
                }
                print("closed", true);
            }
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
    }

    private static PublisherOptions options(Map<String, Object> command) {
        PublisherOptions options = PublisherOptions.of(
                        Json.text(command, "host"), Json.text(command, "app"), Json.text(command, "producer"))
                .token(Json.text(command, "token"))
                .queuedPushes((int) Json.number(command, "queue", 0));
        if (command.get("port") instanceof Long port) {
            options.port(port.intValue());
        }
        if (!Boolean.TRUE.equals(command.get("silent"))) {
            options.onEvent(Driver::print);
        }
        if (Boolean.TRUE.equals(command.get("outcomes"))) {
            options.outcomes();
        }
        if (command.get("outbox") instanceof String path) {
            options.outbox(Path.of(path));
        }
        if (command.get("ca") instanceof String path) {
            options.authority(Path.of(path));
        } else {
            options.plain();
        }
        if (command.get("certificate") instanceof String path) {
            options.certificate(Path.of(path), Path.of(Json.text(command, "key")));
        }
        if (command.get("backoffMs") instanceof List<?> pauses) {
            options.pauses(Duration.ofMillis((Long) pauses.get(0)), Duration.ofMillis((Long) pauses.get(1)));
        }
        if (command.containsKey("timeoutMs")) {
            options.silence(Duration.ofSeconds(15), time(command, "timeoutMs"));
            options.attemptTimeout(time(command, "timeoutMs"));
        }
        if (command.containsKey("pingMs")) {
            options.silence(time(command, "pingMs"), options.lostAfter);
        }
        return options;
    }

    private static Duration time(Map<String, Object> command, String name) {
        return Duration.ofMillis(Json.number(command, name, 0));
    }

    private static Push push(Map<String, Object> command) {
        Push push = Push.of(Json.write(command.get("payload")));
        if (Boolean.TRUE.equals(command.get("urgent"))) {
            push = push.asUrgent();
        }
        if (command.get("expiresAt") instanceof Long date) {
            push = push.expiringAt(Instant.ofEpochMilli(date));
        }
        if (command.get("kinds") instanceof List<?> kinds) {
            push = push.forKinds(kinds.stream().map(String.class::cast).toList());
        }
        return push;
    }

    private static void print(PublisherEvent event) {
        try {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("event", event.getClass().getSimpleName().toLowerCase());
            members.putAll(members(event));
            if (event instanceof PublisherEvent.Outcome) {
                members.put("outcome", members.remove("body"));
            }
            OUT.println(Json.write(members));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void print(String name, Object value) {
        OUT.println(Json.write(Map.of(name, value)));
    }

    /** The parts of a record by their names. */
    private static Map<String, Object> members(Object values) throws ReflectiveOperationException {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent part : values.getClass().getRecordComponents()) {
            members.put(part.getName(), part.getAccessor().invoke(values));
        }
        return members;
    }
}
