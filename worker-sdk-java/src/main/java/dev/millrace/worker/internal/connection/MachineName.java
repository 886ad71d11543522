package dev.millrace.worker.internal.connection;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Name of this machine, the default name of a worker. */
public final class MachineName {
    private MachineName() {}

    public static String find() {
        String name = System.getenv("HOSTNAME");
        if (name == null || name.isBlank()) {
            try {
                name = InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                name = "worker";
            }
        }
        return name;
    }
}
