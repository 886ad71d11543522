package dev.millrace.scheduler.access;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * The addresses that are counted together. Whoever has one IPv6 address usually has all 2<sup>64</sup> of its network, so
 * these count as one. Whoever has a site of their own often has 2<sup>16</sup> such networks, or more.
 */
public final class AddressGroup {
    private static final int NETWORK_BYTES = 8;
    private static final int SITE_BYTES = 6;

    private AddressGroup() {}

    /**
     * The group of an address.
     *
     * @param address as text; any other text is a group of its own
     */
    public static String of(String address) {
        return of(address, NETWORK_BYTES);
    }

    /** The site of an address, which may have many groups: the first 48 bits of an IPv6 address, and any other text itself. */
    public static String siteOf(String address) {
        return of(address, SITE_BYTES);
    }

    private static String of(String address, int networkBytes) {
        if (address.indexOf(':') < 0) {
            return address;
        }
        try {
            int zone = address.indexOf('%');
            InetAddress parsed = InetAddress.ofLiteral(zone < 0 ? address : address.substring(0, zone));
            return parsed instanceof Inet6Address known
                    ? network(known.getAddress(), networkBytes)
                    : parsed.getHostAddress();
        } catch (IllegalArgumentException noAddress) {
            return address;
        }
    }

    private static String network(byte[] bytes, int networkBytes) {
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < networkBytes; index += 2) {
            text.append(Integer.toHexString((bytes[index] & 0xff) << Byte.SIZE | (bytes[index + 1] & 0xff)))
                    .append(':');
        }
        return text + ":/" + networkBytes * Byte.SIZE;
    }
}
