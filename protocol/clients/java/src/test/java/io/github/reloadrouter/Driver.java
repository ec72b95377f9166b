package io.github.reloadrouter;

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
import java.util.Scanner;

/** Lets the conformance tests of all clients control a publisher by JSON lines. */
public final class Driver {
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private static Publisher publisher;

    private Driver() {}

    /** Reads commands until {@code close} or the end of the input. */
    public static void main(String[] arguments) throws Exception {
        var in = new Scanner(System.in, StandardCharsets.UTF_8);
        for (boolean isOpen = true; isOpen && in.hasNextLine(); ) {
            Map<String, Object> command = Json.object(in.nextLine());
            try {
                perform(command);
            } catch (PublisherException | IllegalArgumentException e) {
                print("error", e.getMessage());
            }
            isOpen = !Json.text(command, "do").equals("close");
        }
    }

    private static void perform(Map<String, Object> command) throws Exception {
        switch (Json.text(command, "do")) {
            case "connect" -> {
                PublisherOptions options = options(command);
                publisher = command.get("waitMs") == null
                        ? Publisher.start(options)
                        : Publisher.connect(options.connectLimit(time(command.get("waitMs"), null)));
            }
            case "push" -> print("pushed", publisher.push(push(command)));
            case "tryPush" -> {
                OptionalLong seq = publisher.tryPush(push(command));
                print(seq.isPresent() ? "pushed" : "full", seq.isPresent() ? seq.getAsLong() : true);
            }
            case "flush" -> print("flushed", publisher.flush(time(command.get("timeoutMs"), null)));
            case "history" -> {
                Object after = command.get("after");
                try {
                    print("history", publisher.history(Json.number(command, "seq", 0),
                            after instanceof Long position ? OptionalLong.of(position) : OptionalLong.empty()));
                } catch (PublisherException e) {
                    print("refused", Map.of("code", e.code(), "retry", e.retry));
                }
            }
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
        var options = PublisherOptions.of(
                Json.text(command, "host"), Json.text(command, "app"), Json.text(command, "producer"));
        options.token(Json.text(command, "token"))
                .queuedPushes((int) Json.number(command, "queue", 0))
                .outbox(path(command, "outbox"))
                .authority(path(command, "ca"));
        if (command.get("httpAddress") != null) {
            options.httpAddress(Json.text(command, "httpAddress"));
        }
        options.attemptTimeout = time(command.get("timeoutMs"), options.attemptTimeout);
        options.lostAfter = time(command.get("timeoutMs"), options.lostAfter);
        options.pingAfter = time(command.get("pingMs"), options.pingAfter);
        options.firstPause = time(((List<?>) command.get("backoffMs")).get(0), null);
        options.longestPause = time(((List<?>) command.get("backoffMs")).get(1), null);
        if (command.get("port") != null) {
            options.port((int) Json.number(command, "port", 0));
        }
        if (command.get("ca") == null) {
            options.plain();
        }
        if (command.get("certificate") != null) {
            options.certificate(path(command, "certificate"), path(command, "key"));
        }
        if (!Boolean.TRUE.equals(command.get("silent"))) {
            options.onEvent(Driver::print);
        }
        return Boolean.TRUE.equals(command.get("outcomes")) ? options.outcomes() : options;
    }

    private static Path path(Map<String, Object> command, String name) {
        return command.get(name) instanceof String path ? Path.of(path) : null;
    }

    private static Duration time(Object value, Duration otherwise) {
        return value instanceof Long milliseconds ? Duration.ofMillis(milliseconds) : otherwise;
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
        Map<String, Object> members = members(event);
        members.put("event", event.getClass().getSimpleName().toLowerCase());
        if (event instanceof PublisherEvent.Outcome) {
            members.put("outcome", members.remove("body"));
        }
        OUT.println(Json.write(members));
    }

    private static void print(String name, Object value) {
        OUT.println(Json.write(Map.of(name, value)));
    }

    /** The parts of a record by their names. */
    private static Map<String, Object> members(Object values) {
        Map<String, Object> members = new LinkedHashMap<>();
        for (RecordComponent part : values.getClass().getRecordComponents()) {
            try {
                members.put(part.getName(), part.getAccessor().invoke(values));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        return members;
    }
}
