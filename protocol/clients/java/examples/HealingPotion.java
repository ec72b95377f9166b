import io.github.reloadrouter.Publisher;
import io.github.reloadrouter.PublisherOptions;
import io.github.reloadrouter.PublisherStatistics;
import io.github.reloadrouter.Push;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A game server that publishes a healing potion, and keeps what it has published over a crash.
 *
 * <p>{@code java -cp reload-router-client.jar HealingPotion.java HOST PORT [AUTHORITY.pem]};
 * without an authority the connection is plain TCP. The token is read from RELOAD_TOKEN.
 */
public final class HealingPotion {
    private HealingPotion() {}

    /** Publishes two pushes, and reports what became of them. */
    public static void main(String[] arguments) throws InterruptedException {
        PublisherOptions options = PublisherOptions.of(arguments[0], "com.mygame", "shard-7")
                .port(Integer.parseInt(arguments[1]))
                .token(System.getenv("RELOAD_TOKEN"))
                .outbox(Path.of("shard-7.outbox"))
                .onEvent(System.err::println);
        if (arguments.length > 2) {
            options.authority(Path.of(arguments[2]));
        } else {
            options.plain();
        }
        try (Publisher publisher = Publisher.connect(options)) {
            publisher.push(Push.of(Map.of("event", "healing-potion", "character", "elf-42")));
            publisher.push(Push.of("{\"event\":\"attack\",\"character\":\"elf-42\"}")
                    .asUrgent()
                    .expiringAt(Instant.now().plusSeconds(600))
                    .forKinds(List.of("com.mygame.character-detail")));
            boolean isDone = publisher.flush(Duration.ofSeconds(10));
            PublisherStatistics counts = publisher.statistics();
            System.out.println(isDone ? counts : "not all is answered yet: " + counts);
        }
    }
}
