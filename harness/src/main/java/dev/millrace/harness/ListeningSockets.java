package dev.millrace.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The TCP addresses on which a process listens, read from {@code /proc}. */
public final class ListeningSockets {
    private static final String STATE_LISTEN = "0A";
    private static final int ADDRESS_COLUMN = 1;
    private static final int STATE_COLUMN = 3;
    private static final int INODE_COLUMN = 9;
    private static final int WORD_BYTES = 4;

    private ListeningSockets() {}

    /** Addresses, without their ports, of all sockets on which this process listens. */
    public static List<InetAddress> of(long pid) {
        Path process = Path.of("/proc", Long.toString(pid));
        Set<String> own = socketInodes(process.resolve("fd"));
        var addresses = new ArrayList<InetAddress>();
        for (String table : List.of("net/tcp", "net/tcp6")) {
            for (String line : lines(process.resolve(table))) {
                String[] columns = line.strip().split("\\s+", -1);
                if (columns.length > INODE_COLUMN
                        && columns[STATE_COLUMN].equals(STATE_LISTEN)
                        && own.contains(columns[INODE_COLUMN])) {
                    addresses.add(address(columns[ADDRESS_COLUMN].split(":", 2)[0]));
                }
            }
        }
        return addresses;
    }

    private static Set<String> socketInodes(Path descriptors) {
        var inodes = new HashSet<String>();
        try (Stream<Path> entries = Files.list(descriptors)) {
            for (Path entry : (Iterable<Path>) entries::iterator) {
                String target = target(entry);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("This test needs Linux's /proc.", e);
        }
        return inodes;
    }

    /** Empty if the descriptor has been closed meanwhile. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    private static List<String> lines(Path table) {
        try {
            return Files.exists(table) ? Files.readAllLines(table) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The kernel prints each word of four bytes in the byte order of the machine, which is little-endian on all
     * machines that run the tests.
     */
    private static InetAddress address(String hex) {
        byte[] printed = HexFormat.of().parseHex(hex);
        byte[] address = new byte[printed.length];
        for (int i = 0; i < printed.length; i++) {
            address[i] = printed[i / WORD_BYTES * WORD_BYTES + WORD_BYTES - 1 - i % WORD_BYTES];
        }
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("The kernel printed the address " + hex + ".", e);
        }
    }
}
