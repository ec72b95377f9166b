using System;
using System.Collections.Generic;
using System.Security.Cryptography.X509Certificates;
using ReloadRouter.Client;

/// <summary>
/// A game server that publishes a healing potion, and keeps what it has published over a crash. It reads
/// RELOAD_ADDRESS (HOST:PORT), RELOAD_TOKEN, and RELOAD_CA, a PEM file of the authority of the router's
/// certificate, if it is none of the system's; RELOAD_PLAINTEXT=1 asks for plain TCP.
/// </summary>
internal static class HealingPotion {
    private static void Main() {
        string address = Environment.GetEnvironmentVariable("RELOAD_ADDRESS");
        string authority = Environment.GetEnvironmentVariable("RELOAD_CA");
        var options = new PublisherOptions(address, "com.mygame", "shard-7") {
            Token = Environment.GetEnvironmentVariable("RELOAD_TOKEN"),
            Plain = Environment.GetEnvironmentVariable("RELOAD_PLAINTEXT") == "1",
            Authorities = authority == null
                ? null : new X509Certificate2Collection(new X509Certificate2(authority)),
            Outbox = "shard-7.outbox",
            OnEvent = happened => Console.Error.WriteLine(happened),
        };
        using (Publisher publisher = Publisher.Connect(options)) {
            publisher.Push("{\"event\":\"healing-potion\",\"character\":\"elf-42\"}");
            publisher.Push("{\"event\":\"attack\",\"character\":\"elf-42\"}", new PushSettings {
                Urgent = true,
                ExpiresAt = DateTimeOffset.UtcNow.AddMinutes(10),
                Kinds = new List<string> { "com.mygame.character-detail" },
            });
            bool isDone = publisher.Flush(TimeSpan.FromSeconds(10));
            Console.WriteLine((isDone ? "" : "not all is answered yet: ") + publisher.Statistics);
        }
    }
}
