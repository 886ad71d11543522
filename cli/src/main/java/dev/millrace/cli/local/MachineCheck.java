package dev.millrace.cli.local;

import dev.millrace.scheduler.doctor.Finding;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** Looks at the disks and ports of this machine. */
final class MachineCheck {
    private static final long DISK_FREE_MIN = 200L << 20;
    private static final long DISK_FREE_GOOD = 2L << 30;
    private static final double MIB = 1 << 20;
    private static final Duration CONNECT_WAIT_MAX = Duration.ofSeconds(2);

    private MachineCheck() {}

    /** Judges the free space of the disk on which a folder is or would be. */
    static Finding disk(String purpose, Path folder) {
        Path present = folder.toAbsolutePath();
        Path parent = present.getParent();
        while (!Files.exists(present) && parent != null) {
            present = parent;
            parent = present.getParent();
        }
        try {
            FileStore store = Files.getFileStore(present);
            return disk(purpose, folder, store.getUsableSpace());
        } catch (IOException e) {
            return Finding.warning(
                    "disk", "The disk of " + folder + " cannot be examined: " + e.getMessage(), "Check the folder.");
        }
    }

    static Finding disk(String purpose, Path folder, long freeBytes) {
        String text = String.format(Locale.ROOT, "%s (%s) has %,.0f MiB free.", folder, purpose, freeBytes / MIB);
        String advice = "Free space there, or choose another folder.";
        if (freeBytes < DISK_FREE_MIN) {
            return Finding.error("disk", text, advice);
        }
        return freeBytes < DISK_FREE_GOOD ? Finding.warning("disk", text, advice) : Finding.ok("disk", text);
    }

    /**
     * Judges whether a service listens.
     *
     * @param start command that starts the service
     */
    static Finding port(String service, String host, int port, String start) {
        String address = host + ":" + port;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), (int) CONNECT_WAIT_MAX.toMillis());
            return Finding.ok("ports", "Something listens at " + address + ", the address of the " + service + ".");
        } catch (IOException e) {
            return Finding.warning(
                    "ports",
                    "Nothing answers at " + address + ", the address of the " + service + ": " + e.getMessage() + ".",
                    "Start it with `" + start + "`, or correct the settings.");
        }
    }
}
