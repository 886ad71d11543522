package dev.millrace.tls;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One address of a list.
 *
 * @param host name or IP address; an IPv6 address has no brackets
 */
record HostAndPort(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[(?<ipv6>[0-9a-fA-F:.]+)]|(?<name>[\\w.-]+)):(?<port>\\d{1,5})");
    private static final int PORT_MAX = 65_535;

    /** @throws TlsException if the text is not {@code host:port} */
    static HostAndPort parse(String text) {
        Matcher form = FORM.matcher(text.strip());
        if (!form.matches() || Integer.parseInt(form.group("port")) > PORT_MAX) {
            throw new TlsException(
                    "\"" + text + "\" is no address of a scheduler (expected: host:port, several separated"
                            + " by commas, as in a:8401,b:8401).");
        }
        String ipv6 = form.group("ipv6");
        return new HostAndPort(ipv6 == null ? form.group("name") : ipv6, Integer.parseInt(form.group("port")));
    }

    /** The form in URLs and certificates' names. */
    String authority() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
