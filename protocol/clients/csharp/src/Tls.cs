using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Threading;

namespace ReloadRouter.Client {
    /// <summary>TLS as a publisher uses it, with the checks of a peer.</summary>
    internal static class Tls {
        // Tags of names in a subjectAltName (RFC 5280).
        private const int DnsName = 0x82;
        private const int IPName = 0x87;

        /// <summary>Begins TLS, and checks that the certificate is for the host.</summary>
        public static Stream Connect(PublisherOptions options, Stream stream) {
            var secured = new SslStream(
                stream, false, (sender, certificate, chain, errors) => IsTrusted(options, certificate, chain, errors));
            var parameters = new SslClientAuthenticationOptions {
                TargetHost = options.Host,
                EnabledSslProtocols = SslProtocols.None,
                ApplicationProtocols = new List<SslApplicationProtocol> { new SslApplicationProtocol("rr/1") },
                CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            };
            if (options.Certificate != null) {
                parameters.ClientCertificates = new X509CertificateCollection { options.Certificate };
            }
            secured.AuthenticateAsClientAsync(parameters, CancellationToken.None).GetAwaiter().GetResult();
            return secured;
        }

        private static bool IsTrusted(
            PublisherOptions options, X509Certificate certificate, X509Chain chain, SslPolicyErrors errors) {
            if (options.Authorities == null) {
                return errors == SslPolicyErrors.None;
            }
            // The chain must be judged again: the system does not know these authorities.
            if ((errors & ~SslPolicyErrors.RemoteCertificateChainErrors) != 0 || certificate == null) {
                return false;
            }
            try {
                // Some platforms do not look at the name in a certificate whose authority they do not know.
                var shown = new X509Certificate2(certificate);
                return IsFor(options.Host, shown)
                    && (IsPinned(options.Authorities, shown) || LeadsTo(options.Authorities, shown, chain));
            } catch (NotSupportedException e) {
                throw new AuthenticationException("this platform cannot check the router's certificate", e);
            }
        }

        /// <summary>Whether the subjectAltName of a certificate has a name or an address.</summary>
        internal static bool IsFor(string host, X509Certificate2 certificate) {
            byte[] der = certificate.Extensions["2.5.29.17"]?.RawData ?? new byte[0];
            int offset = 0;
            if (!Enter(der, ref offset, out int tag, out int end) || tag != 0x30) {
                return false;
            }
            byte[] address = IPAddress.TryParse(host, out IPAddress parsed) ? parsed.GetAddressBytes() : null;
            while (Enter(der, ref offset, out tag, out end)) {
                var value = new byte[end - offset];
                Buffer.BlockCopy(der, offset, value, 0, value.Length);
                offset = end;
                bool isFor = address == null
                    ? tag == DnsName && IsMatch(Encoding.ASCII.GetString(value), host)
                    : tag == IPName && value.SequenceEqual(address);
                if (isFor) {
                    return true;
                }
            }
            return false;
        }

        /// <summary>Whether a host has a name, whose first label may be an asterisk.</summary>
        private static bool IsMatch(string name, string host) {
            int dot = host.IndexOf('.');
            bool isWild = name.StartsWith("*.", StringComparison.Ordinal) && dot > 0
                && name.IndexOf('.', 2) > 0;
            return isWild
                ? string.Equals(name.Substring(1), host.Substring(dot), StringComparison.OrdinalIgnoreCase)
                : string.Equals(name, host, StringComparison.OrdinalIgnoreCase);
        }

        /// <summary>Passes over the head of a DER element; false if there is none.</summary>
        private static bool Enter(byte[] der, ref int offset, out int tag, out int end) {
            tag = 0;
            end = 0;
            if (der.Length - offset < 2) {
                return false;
            }
            tag = der[offset];
            int length = der[offset + 1];
            offset += 2;
            int bytes = length < 0x80 ? 0 : length & 0x7f;
            length = bytes == 0 ? length : 0;
            if (bytes > 2 || bytes > der.Length - offset) {
                return false;
            }
            for (int n = 0; n < bytes; n++) {
                length = length << 8 | der[offset++];
            }
            end = offset + length;
            return end <= der.Length;
        }

        /// <summary>Whether a certificate is one of the authorities itself, and valid now.</summary>
        private static bool IsPinned(X509Certificate2Collection authorities, X509Certificate2 certificate) {
            DateTime now = DateTime.Now;
            return now >= certificate.NotBefore && now <= certificate.NotAfter
                && authorities.Cast<X509Certificate2>().Any(one => one.RawData.SequenceEqual(certificate.RawData));
        }

        private static bool LeadsTo(
            X509Certificate2Collection authorities, X509Certificate2 certificate, X509Chain sent) {
            using (var chain = new X509Chain()) {
                X509ChainPolicy policy = chain.ChainPolicy;
                policy.RevocationMode = X509RevocationMode.NoCheck;
                policy.VerificationFlags = X509VerificationFlags.AllowUnknownCertificateAuthority;
                policy.ExtraStore.AddRange(authorities);
                if (sent != null) {
                    policy.ExtraStore.AddRange(sent.ChainPolicy.ExtraStore);
                    foreach (X509ChainElement element in sent.ChainElements) {
                        policy.ExtraStore.Add(element.Certificate);
                    }
                }
                if (!chain.Build(certificate) || chain.ChainElements.Count == 0) {
                    return false;
                }
                foreach (X509ChainStatus status in chain.ChainStatus) {
                    // Of all faults only that the system does not know the root is none.
                    if (status.Status != X509ChainStatusFlags.NoError
                        && status.Status != X509ChainStatusFlags.UntrustedRoot) {
                        return false;
                    }
                }
                string root = chain.ChainElements[chain.ChainElements.Count - 1].Certificate.Thumbprint;
                return authorities.Find(X509FindType.FindByThumbprint, root, false).Count > 0;
            }
        }
    }
}
