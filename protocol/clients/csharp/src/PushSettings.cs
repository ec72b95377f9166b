using System;
using System.Collections.Generic;

namespace ReloadRouter.Client {
    /// <summary>How the router should treat a push. The default is an ordinary push.</summary>
    public struct PushSettings {
        /// <summary>Whether its reloads precede others.</summary>
        public bool Urgent { get; set; }

        /// <summary>
        /// When reloads that wait for it alone are not worth sending any more; null for never. A date before
        /// 2001 or after 9999 is refused: it was made from a number in another unit.
        /// </summary>
        public DateTimeOffset? ExpiresAt { get; set; }

        /// <summary>The kinds of widgets that it is limited to; null for all kinds.</summary>
        public IReadOnlyList<string> Kinds { get; set; }
    }
}
