package dev.millrace.scheduler.access;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Recognizes names and addresses of the own machine by their text, without asking a resolver. */
public final class Loopback {
    private static final Pattern IPV4 = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");

    private Loopback() {}

    /** Whether a server with this host listens on the own machine only. */
    public static boolean isHost(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.equals("[::1]")
                || IPV4.matcher(host).matches();
    }

    /** Whether a caller names the own machine, with or without a port. */
    static boolean isAuthority(@Nullable String authority) {
        return authority != null
                && isHost(
                        authority.startsWith("[") || authority.indexOf(':') == authority.lastIndexOf(':')
                                ? PORT.matcher(authority).replaceFirst("")
                                : authority);
    }
}
