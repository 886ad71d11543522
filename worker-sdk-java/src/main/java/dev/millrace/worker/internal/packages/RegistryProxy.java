package dev.millrace.worker.internal.packages;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.worker.internal.runtime.Threads;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP proxy between a program that installs packages and the network. It connects only to hosts from which packages may
 * come, at the address that it has checked: neither a redirect, nor what a package says about others, nor a name that changes
 * its address reaches the worker's own network. It listens on the loopback device and asks for a password of its own.
 */
final class RegistryProxy implements Closeable {
    private static final Logger logger = LoggerFactory.getLogger(RegistryProxy.class);

    /** Variables by which people configure a proxy of their own, which then decides what programs reach. */
    private static final Set<String> VARIABLES = Set.of("http_proxy", "https_proxy", "all_proxy");

    private static final String USER = "millrace";

    /** Most connections at a time; further ones wait. */
    private static final int CONNECTIONS_MAX = 128;

    private static final int HEAD_BYTES_MAX = 64 << 10;
    private static final int CONNECT_MILLIS_MAX = 20_000;

    /** Longest time in which a connection carries nothing. */
    private static final int IDLE_MILLIS_MAX = 300_000;

    /** Most reasons that are kept for an error. */
    private static final int REFUSALS_MAX = 3;

    private static final int BUFFER_BYTES = 16 << 10;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final PackageHosts hosts;
    private final ServerSocket server;
    private final String password = HexFormat.of().formatHex(randomBytes());
    private final Semaphore free = new Semaphore(CONNECTIONS_MAX);
    private final Set<String> refusals = ConcurrentHashMap.newKeySet();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private RegistryProxy(PackageHosts hosts, ServerSocket server) {
        this.hosts = hosts;
        this.server = server;
    }

    /** Listens until it is closed. */
    static RegistryProxy open(PackageHosts hosts) throws IOException {
        ServerSocket server = new ServerSocket(0, CONNECTIONS_MAX, InetAddress.getLoopbackAddress());
        RegistryProxy proxy = new RegistryProxy(hosts, server);
        Threads.daemon("millrace-registry-proxy", proxy::accept).start();
        return proxy;
    }

    private static byte[] randomBytes() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** The variables of a program with this proxy in them, unless the operator has configured one. */
    Map<String, String> in(Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        if (variables.keySet().stream().anyMatch(name -> VARIABLES.contains(name.toLowerCase(Locale.ROOT)))) {
            return all;
        }
        String address = "http://" + USER + ":" + password + "@127.0.0.1:" + server.getLocalPort();
        for (String name : VARIABLES) {
            all.put(name, address);
            all.put(name.toUpperCase(Locale.ROOT), address);
        }
        all.remove("no_proxy");
        all.remove("NO_PROXY");
        return all;
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                free.acquire();
                Socket client = server.accept();
                Threads.daemon("millrace-registry-connection", () -> serve(client))
                        .start();
            } catch (IOException closed) {
                free.release();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void serve(Socket client) {
        open.add(client);
        try (client) {
            client.setSoTimeout(IDLE_MILLIS_MAX);
            List<String> head = head(client.getInputStream());
            if (!head.isEmpty()) {
                serve(client, head);
            }
        } catch (IOException e) {
            logger.debug("A connection to a registry has ended.", e);
        } finally {
            open.remove(client);
            free.release();
        }
    }

    private void serve(Socket client, List<String> head) throws IOException {
        String[] request = head.get(0).split(" ", 3);
        if (request.length != 3 || head.stream().noneMatch(this::isProof)) {
            refuse(client, "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"millrace\"", "");
            return;
        }
        boolean tunnel = request[0].equals("CONNECT");
        URI target;
        try {
            target = URI.create(tunnel ? "https://" + request[1] : request[1]);
        } catch (IllegalArgumentException e) {
            refuse(client, "400 Bad Request", "The address cannot be read.");
            return;
        }
        if (target.getHost() == null || (!tunnel && !"http".equalsIgnoreCase(target.getScheme()))) {
            refuse(client, "400 Bad Request", "The address has no host.");
            return;
        }
        try (Socket upstream = connect(target.getHost(), PackageHosts.portOf(target))) {
            open.add(upstream);
            if (tunnel) {
                write(client, "HTTP/1.1 200 Connection established\r\n\r\n");
            } else {
                write(upstream, forwarded(request, target, head));
            }
            relay(client, upstream);
            open.remove(upstream);
        } catch (RefusedHost refused) {
            String reason = String.valueOf(refused.getMessage());
            if (refusals.size() < REFUSALS_MAX) {
                refusals.add(reason);
            }
            refuse(client, "403 Forbidden", reason);
        }
    }

    /** Why hosts were refused, since programs that ask for them do not tell what a proxy says. */
    Set<String> refusals() {
        return new TreeSet<>(refusals);
    }

    private boolean isProof(String line) {
        String[] field = line.split(":\\s*", 2);
        return field[0].equalsIgnoreCase("Proxy-Authorization")
                && field[field.length - 1].equals(
                        "Basic " + Base64.getEncoder().encodeToString((USER + ":" + password).getBytes(US_ASCII)));
    }

    private static final class RefusedHost extends IOException {
        RefusedHost(String message) {
            super(message);
        }
    }

    private static InetAddress[] resolve(String host) throws IOException {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw new RefusedHost("The host " + host + " has no address.");
        }
    }

    /** Connects to an address that was checked, so that the name is not looked up again. */
    private Socket connect(String host, int port) throws IOException {
        List<InetAddress> admitted = new ArrayList<>();
        for (InetAddress address : resolve(host)) {
            if (hosts.admits(host, port, address)) {
                admitted.add(address);
            }
        }
        IOException failure = new RefusedHost("This worker gets no packages from " + host + ":" + port
                + ": it is no registry, and no public address with HTTPS. The administrator of the worker can list it in "
                + PackageHosts.SETTING + ".");
        for (InetAddress address : admitted) {
            Socket socket = new Socket();
            try {
                socket.setSoTimeout(IDLE_MILLIS_MAX);
                socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS_MAX);
                return socket;
            } catch (IOException e) {
                socket.close();
                failure = e;
            }
        }
        throw failure;
    }

    /** A request as the server itself takes it. The connection is for this one only: the next may be for another host. */
    private static String forwarded(String[] request, URI target, List<String> head) {
        String path = target.getRawPath() == null || target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
        StringBuilder text = new StringBuilder(request[0] + " " + path + query + " HTTP/1.1\r\n");
        for (String line : head.subList(1, head.size())) {
            String name = line.split(":", 2)[0].toLowerCase(Locale.ROOT);
            if (!name.startsWith("proxy-") && !name.equals("connection") && !name.equals("keep-alive")) {
                text.append(line).append("\r\n");
            }
        }
        return text.append("Connection: close\r\n\r\n").toString();
    }

    private static void relay(Socket client, Socket upstream) throws IOException {
        Thread up = Threads.daemon("millrace-registry-requests", () -> {
            try {
                client.getInputStream().transferTo(upstream.getOutputStream());
                upstream.shutdownOutput();
            } catch (IOException ended) {
                logger.debug("The requests to a registry have ended.", ended);
            }
        });
        up.start();
        byte[] buffer = new byte[BUFFER_BYTES];
        InputStream in = upstream.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            out.write(buffer, 0, read);
        }
        client.shutdownOutput();
    }

    /** The lines of a request up to the empty one; none if there is no request. */
    private static List<String> head(InputStream in) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int last = 0;
        for (int read = in.read(); read >= 0; read = in.read()) {
            bytes.write(read);
            last = (last << Byte.SIZE) | read;
            if (last == 0x0d0a0d0a) {
                return bytes.toString(ISO_8859_1)
                        .lines()
                        .filter(line -> !line.isEmpty())
                        .toList();
            }
            if (bytes.size() > HEAD_BYTES_MAX) {
                throw new IOException("The head of a request has more than " + HEAD_BYTES_MAX + " bytes.");
            }
        }
        return List.of();
    }

    private static void refuse(Socket client, String status, String reason) throws IOException {
        write(
                client,
                "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: "
                        + reason.length() + "\r\n\r\n" + reason);
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : open) {
            socket.close();
        }
    }
}
