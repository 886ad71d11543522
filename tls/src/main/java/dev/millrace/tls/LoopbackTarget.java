package dev.millrace.tls;

import java.util.regex.Pattern;

/** Recognizes by their text addresses of the own machine, without asking a resolver. */
public final class LoopbackTarget {
    private static final Pattern SCHEME = Pattern.compile("^(dns:(//[^/]*/)?|ipv4:|ipv6:)");
    private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
    private static final Pattern IPV4 = Pattern.compile("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");

    private LoopbackTarget() {}

    /** Whether what is sent to this gRPC target stays on the machine. */
    public static boolean is(String target) {
        if (target.startsWith("unix:") || InProcess.isTarget(target)) {
            return true;
        }
        String address = SCHEME.matcher(target).replaceFirst("");
        return isHost(
                address.startsWith("[") || address.indexOf(':') == address.lastIndexOf(':')
                        ? PORT.matcher(address).replaceFirst("")
                        : address);
    }

    /** Whether a server that listens on this host can be reached from its own machine only. */
    public static boolean isHost(String host) {
        return host.equals("localhost")
                || host.equals("::1")
                || host.equals("[::1]")
                || IPV4.matcher(host).matches();
    }
}
