package io.github.reloadrouter;

import java.time.Duration;

/** Measures pushes a second on one connection: HOST PORT APP TOKEN PRODUCER COUNT. */
public final class Bench {
    private Bench() {}

    /** Prints one line of JSON. */
    public static void main(String[] arguments) throws InterruptedException {
        PublisherOptions options = PublisherOptions.of(arguments[0], arguments[2], arguments[4])
                .port(Integer.parseInt(arguments[1]))
                .plain();
        if (!arguments[3].isEmpty()) {
            options.token(arguments[3]);
        }
        int count = Integer.parseInt(arguments[5]);
        Push push = Push.of("{\"event\":\"damage\",\"character\":\"elf-42\",\"amount\":25}");
        try (Publisher publisher = Publisher.connect(options)) {
            publisher.push(push);
            if (!publisher.flush(Duration.ofSeconds(10))) {
                throw new IllegalStateException("the router does not answer");
            }
            Duration cpu = cpu();
            long start = System.nanoTime();
            for (int index = 0; index < count; index++) {
                publisher.push(push);
            }
            if (!publisher.flush(Duration.ofMinutes(10))) {
                throw new IllegalStateException("the publisher has ended");
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            double used = cpu().minus(cpu).toMillis() / 1e3;
            System.out.printf(
                    "{\"pushes\":%d,\"seconds\":%.3f,\"cpuSeconds\":%.3f}%n", count, seconds, used);
        }
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
