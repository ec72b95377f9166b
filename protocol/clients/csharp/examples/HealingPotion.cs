using System;
using System.Collections.Generic;
using System.Security.Cryptography.X509Certificates;
using ReloadRouter.Client;

/// <summary>
/// A game server that publishes a healing potion, and keeps what it has published over a crash:
/// HOST PORT [AUTHORITY.pem]; without an authority the connection is plain TCP. The token is read from
/// RELOAD_TOKEN.
/// </summary>
internal static class HealingPotion
{
    private static void Main(string[] arguments)
    {
        bool isPlain = arguments.Length < 3;
        var options = new PublisherOptions(arguments[0], "com.mygame", "shard-7")
        {
            Port = int.Parse(arguments[1]),
            Token = Environment.GetEnvironmentVariable("RELOAD_TOKEN"),
            Plain = isPlain,
            Authorities = isPlain ? null : new X509Certificate2Collection(new X509Certificate2(arguments[2])),
            Outbox = "shard-7.outbox",
            OnEvent = happened => Console.Error.WriteLine(happened),
        };
        using (Publisher publisher = Publisher.Connect(options))
        {
            publisher.Push("{\"event\":\"healing-potion\",\"character\":\"elf-42\"}");
            publisher.Push("{\"event\":\"attack\",\"character\":\"elf-42\"}", new PushSettings
            {
                Urgent = true,
                ExpiresAt = DateTimeOffset.UtcNow.AddMinutes(10),
                Kinds = new List<string> { "com.mygame.character-detail" },
            });
            bool isDone = publisher.Flush(TimeSpan.FromSeconds(10));
            Console.WriteLine((isDone ? "" : "not all is answered yet: ") + publisher.Statistics);
        }
    }
}
