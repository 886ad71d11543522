package dev.millrace.tls;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * Distinguishes public addresses from those inside one's own machine or network. Addresses that IANA lists as
 * not globally reachable are not public. Neither are cloud metadata services on public addresses, nor IPv6 addresses
 * that embed such IPv4 addresses.
 */
public final class PublicAddress {
    private record Range(InetAddress network, int bits) {
        static Range of(String text) {
            int slash = text.indexOf('/');
            try {
                // A literal, so no name is resolved.
                return new Range(
                        InetAddress.getByName(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(text, e);
            }
        }

        boolean contains(byte[] address) {
            byte[] ours = network.getAddress();
            if (address.length != ours.length) {
                return false;
            }
            int bytes = bits / 8;
            int mask = 0xff00 >> (bits % 8) & 0xff;
            return Arrays.equals(address, 0, bytes, ours, 0, bytes)
                    && (mask == 0 || (address[bytes] & mask) == (ours[bytes] & mask));
        }
    }

    private static final List<Range> NOT_PUBLIC = List.of(
                    "0.0.0.0/8",
                    "10.0.0.0/8",
                    "100.64.0.0/10",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "172.16.0.0/12",
                    "192.0.0.0/24",
                    "192.0.2.0/24",
                    "192.88.99.0/24",
                    "192.168.0.0/16",
                    "198.18.0.0/15",
                    "198.51.100.0/24",
                    "203.0.113.0/24",
                    "224.0.0.0/3",
                    // Azure's metadata and agent service.
                    "168.63.129.16/32",
                    "::/96",
                    "100::/64",
                    "2001::/23",
                    "2001:db8::/32",
                    "3fff::/20",
                    "5f00::/16",
                    "64:ff9b:1::/48",
                    "fc00::/7",
                    "fe80::/9",
                    "ff00::/8")
            .stream()
            .map(Range::of)
            .toList();

    private static final Range NAT64 = Range.of("64:ff9b::/96");
    private static final int NAT64_AT = 12;
    private static final Range SIX_TO_FOUR = Range.of("2002::/16");
    private static final int SIX_TO_FOUR_AT = 2;
    private static final int IPV4_BYTES = 4;

    private PublicAddress() {}

    /** Whether the address is public. */
    public static boolean test(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (NOT_PUBLIC.stream().anyMatch(range -> range.contains(bytes))) {
            return false;
        }
        if (address instanceof Inet6Address) {
            if (NAT64.contains(bytes)) {
                return test(embedded(bytes, NAT64_AT));
            }
            return !SIX_TO_FOUR.contains(bytes) || test(embedded(bytes, SIX_TO_FOUR_AT));
        }
        return address instanceof Inet4Address;
    }

    private static InetAddress embedded(byte[] address, int at) {
        byte[] ipv4 = new byte[IPV4_BYTES];
        System.arraycopy(address, at, ipv4, 0, IPV4_BYTES);
        try {
            return InetAddress.getByAddress(ipv4);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
