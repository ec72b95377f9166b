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
 * <p>{@code java -cp reload-router-client.jar HealingPotion.java} reads RELOAD_ADDRESS (HOST:PORT),
 * RELOAD_TOKEN, and RELOAD_CA, a PEM file of the authority of the router's certificate, if it is
 * none of the system's; RELOAD_PLAINTEXT=1 asks for plain TCP.
 */
public final class HealingPotion {
    private HealingPotion() {}

    /** Publishes two pushes, and reports what became of them. */
    public static void main(String[] arguments) throws InterruptedException {
        String address = System.getenv("RELOAD_ADDRESS");
        PublisherOptions options = PublisherOptions.of(address, "com.mygame", "shard-7")
                .token(System.getenv("RELOAD_TOKEN"))
                .outbox(Path.of("shard-7.outbox"))
                .onEvent(System.err::println);
        if (System.getenv("RELOAD_CA") != null) {
            options.authority(Path.of(System.getenv("RELOAD_CA")));
        }
        if ("1".equals(System.getenv("RELOAD_PLAINTEXT"))) {
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
