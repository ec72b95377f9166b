package io.github.reloadrouter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
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
    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private Publisher publisher;

    private Driver() {}

    /** Reads commands until {@code close} or the end of the input. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Driver driver = new Driver();
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Map<?, ?> command = (Map<?, ?>) Json.parse(line);
            try {
                driver.perform(command);
            } catch (PublisherException e) {
                driver.print("error", e.code() + ": " + e.getMessage());
            } catch (IllegalArgumentException e) {
                driver.print("error", e.getMessage());
            }
            if ("close".equals(command.get("do"))) {
                return;
            }
        }
    }

    private void perform(Map<?, ?> command) throws InterruptedException {
        switch ((String) command.get("do")) {
            case "connect" -> {
                PublisherOptions options = options(command);
                publisher = command.get("waitMs") == null
                        ? Publisher.start(options)
                        : Publisher.connect(options.connectLimit(time(command, "waitMs")));
            }
            case "push" -> print("pushed", publisher.push(push(command)));
            case "tryPush" -> {
                OptionalLong seq = publisher.tryPush(push(command));
                if (seq.isPresent()) {
                    print("pushed", seq.getAsLong());
                } else {
                    print("full", true);
                }
            }
            case "flush" -> print("flushed", publisher.flush(time(command, "timeoutMs")));
            case "statistics" -> {
                PublisherStatistics now = publisher.statistics();
                Map<String, Object> members = new LinkedHashMap<>();
                members.put("queued", now.queued());
                members.put("sent", now.sent());
                members.put("acknowledged", now.acknowledged());
                members.put("rejected", now.rejected());
                members.put("matched", now.matched());
                members.put("reconnects", now.reconnects());
                print("statistics", members);
            }
            case "close" -> {
                if (publisher != null) {
                    publisher.close();
                }
                print("closed", true);
            }
            default -> throw new IllegalArgumentException("unknown command: " + command);
        }
    }

    private PublisherOptions options(Map<?, ?> command) {
        PublisherOptions options = PublisherOptions.of(
                        (String) command.get("host"),
                        (String) command.get("app"),
                        (String) command.get("producer"))
                .token((String) command.get("token"))
                .queuedPushes(((Long) command.get("queue")).intValue());
        if (command.get("port") instanceof Long port) {
            options.port(port.intValue());
        }
        if (!Boolean.TRUE.equals(command.get("silent"))) {
            options.onEvent(this::print);
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
            options.certificate(Path.of(path), Path.of((String) command.get("key")));
        }
        if (command.get("backoffMs") instanceof List<?> pauses) {
            options.pauses(
                    Duration.ofMillis((Long) pauses.get(0)),
                    Duration.ofMillis((Long) pauses.get(1)));
        }
        if (command.get("timeoutMs") instanceof Long) {
            options.silence(Duration.ofSeconds(15), time(command, "timeoutMs"));
            options.attemptTimeout(time(command, "timeoutMs"));
        }
        if (command.get("pingMs") instanceof Long) {
            options.silence(time(command, "pingMs"), options.lostAfter);
        }
        return options;
    }

    private static Duration time(Map<?, ?> command, String name) {
        return Duration.ofMillis((Long) command.get(name));
    }

    private static Push push(Map<?, ?> command) {
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

    private void print(PublisherEvent event) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (event instanceof PublisherEvent.Connected connected) {
            members.put("event", "connected");
            members.put("lastSeq", connected.lastSeq());
        } else if (event instanceof PublisherEvent.Disconnected disconnected) {
            members.put("event", "disconnected");
            members.put("code", disconnected.code());
            members.put("retry", disconnected.retry());
            members.put("message", disconnected.message());
        } else if (event instanceof PublisherEvent.Rejected rejected) {
            members.put("event", "rejected");
            members.put("seq", rejected.seq());
            members.put("code", rejected.code());
        } else if (event instanceof PublisherEvent.Lost lost) {
            members.put("event", "lost");
            members.put("from", lost.from());
            members.put("through", lost.through());
        } else if (event instanceof PublisherEvent.Outcome outcome) {
            members.put("event", "outcome");
            members.put("seq", outcome.seq());
            members.put("outcome", outcome.body());
        } else if (event instanceof PublisherEvent.Failed failed) {
            members.put("event", "failed");
            members.put("code", failed.code());
        }
        print(members);
    }

    private void print(String name, Object value) {
        print(Map.of(name, value));
    }

    private synchronized void print(Map<String, ?> members) {
        out.println(Json.write(members));
    }
}
