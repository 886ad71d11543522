package dev.millrace.scheduler.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads connection URIs as libpq does (PostgreSQL manual, 34.1.1.2), and words them for the JDBC driver. Whatever cannot
 * be carried over is refused, so that no part of an address is lost. Messages never quote the URI, which may hold a
 * password.
 */
final class PostgresUri {
    private static final Pattern URI = Pattern.compile(
            "(?<scheme>[a-zA-Z]+)://(?:(?<user>[^@/?#]*)@)?(?<hosts>[^/?#]*)(?:/(?<database>[^@/?#]*))?(?:\\?(?<query>[^#]*))?");

    private static final Pattern HOST =
            Pattern.compile("(?<name>\\[[0-9a-fA-F:.]+(?:%[\\w.-]+)?]|[\\w.-]*)(?::(?<port>\\d*))?");
    private static final String PORT_DEFAULT = "5432";
    private static final int PORT_MAX = 65_535;

    /** Parameters of libpq that the driver knows by other names. */
    private static final Map<String, String> DRIVER_NAMES = Map.ofEntries(
            Map.entry("application_name", "ApplicationName"),
            Map.entry("channel_binding", "channelBinding"),
            Map.entry("connect_timeout", "connectTimeout"),
            Map.entry("gssencmode", "gssEncMode"),
            Map.entry("gsslib", "gsslib"),
            Map.entry("krbsrvname", "kerberosServerName"),
            Map.entry("options", "options"),
            Map.entry("require_auth", "requireAuth"),
            Map.entry("sslcert", "sslcert"),
            Map.entry("sslkey", "sslkey"),
            Map.entry("sslmode", "sslmode"),
            Map.entry("sslnegotiation", "sslNegotiation"),
            Map.entry("sslpassword", "sslpassword"),
            Map.entry("sslrootcert", "sslrootcert"));

    private static final String TARGET = "target_session_attrs";
    /** What a scheduler, which writes, may ask of the server. It takes the primary in any case. */
    private static final Set<String> TARGETS = Set.of("any", "read-write", "primary");

    private PostgresUri() {}

    /**
     * Reads {@code postgres://user:password@host1:port1,host2:port2/database?parameters}, or {@code postgresql://…}.
     *
     * @throws MillraceException with {@code INVALID_CONFIG} if a part cannot be read or has no counterpart
     */
    static DatabaseLocation parse(String text) {
        Matcher uri = URI.matcher(text);
        if (!uri.matches()) {
            throw refused("it cannot be read as a URL. In user and password, write \"@\" as %40, \"/\" as %2F, \"?\" as"
                    + " %3F and \"#\" as %23");
        }
        String scheme = uri.group("scheme");
        if (!scheme.equals("postgres") && !scheme.equals("postgresql")) {
            throw refused("its scheme is \"" + scheme + "\"");
        }
        String[] credentials = Optional.ofNullable(uri.group("user")).orElse("").split(":", 2);
        Map<String, String> parameters =
                parameters(Optional.ofNullable(uri.group("query")).orElse(""));
        String user =
                Optional.ofNullable(parameters.remove("user")).orElseGet(() -> decode("its user", credentials[0]));
        String password = Optional.ofNullable(parameters.remove("password"))
                .orElseGet(() -> credentials.length > 1 ? decode("its password", credentials[1]) : "");
        String database = Optional.ofNullable(parameters.remove("dbname"))
                .orElseGet(() -> decode(
                        "its database",
                        Optional.ofNullable(uri.group("database")).orElse("")));
        String hosts = Optional.ofNullable(parameters.remove("host")).orElse(uri.group("hosts"));
        String ports = Optional.ofNullable(parameters.remove("port")).orElse("");
        return new DatabaseLocation(jdbcUrl(hosts(hosts, ports), database, parameters), user, password);
    }

    /**
     * Words an address for the driver.
     *
     * @param hosts host names or addresses, separated by commas; empty means this machine
     * @param ports one port for all hosts, or one each, separated by commas; empty means those behind the hosts
     * @param parameters by the driver's names, in its encoding
     */
    static String jdbcUrl(String hosts, String ports, String database, Map<String, String> parameters) {
        return jdbcUrl(hosts(hosts, ports), database, parameters);
    }

    /** The driver's parameters for those of libpq, or of the driver itself. */
    static Map<String, String> driverParameters(Map<String, String> given) {
        Map<String, String> parameters = new LinkedHashMap<>();
        given.forEach((name, value) -> {
            if (name.equals(TARGET)) {
                requireTarget(value);
            } else {
                parameters.put(DRIVER_NAMES.getOrDefault(name, name), value);
            }
        });
        return parameters;
    }

    private static String jdbcUrl(List<String> hosts, String database, Map<String, String> parameters) {
        String query = driverParameters(parameters).entrySet().stream()
                .map(each -> encode(each.getKey()) + "=" + encode(each.getValue()))
                .collect(Collectors.joining("&"));
        return "jdbc:postgresql://" + String.join(",", hosts) + "/" + encode(database)
                + (query.isEmpty() ? "" : "?" + query);
    }

    private static List<String> hosts(String texts, String portTexts) {
        String[] hosts = texts.split(",", -1);
        String[] ports = portTexts.isEmpty() ? new String[0] : portTexts.split(",", -1);
        if (ports.length > 1 && ports.length != hosts.length) {
            throw refused("it has " + hosts.length + " hosts but " + ports.length
                    + " ports: give one port for all hosts, or one each");
        }
        List<String> read = new ArrayList<>();
        for (int i = 0; i < hosts.length; i++) {
            String otherwise = ports.length == 0 ? PORT_DEFAULT : ports[ports.length == 1 ? 0 : i];
            read.add(host(decode("its host", hosts[i]), otherwise, i + 1));
        }
        return read;
    }

    private static String host(String text, String portOtherwise, int place) {
        Matcher host = HOST.matcher(text);
        if (text.startsWith("/")) {
            throw refused(
                    "host " + place + " is a folder with a socket. Name a host, such as localhost: Millrace connects"
                            + " to Postgres over TCP");
        }
        if (!host.matches()) {
            throw refused(
                    "host " + place + " cannot be read. An IPv6 address stands in brackets, as in [::1]:5432; in user"
                            + " and password, \"@\" is written as %40");
        }
        String name = host.group("name").isEmpty() ? "localhost" : host.group("name");
        String port = host.group("port") == null || host.group("port").isEmpty() ? portOtherwise : host.group("port");
        if (!port.matches("\\d{1,5}") || Integer.parseInt(port) < 1 || Integer.parseInt(port) > PORT_MAX) {
            throw refused("the port of host " + place + " is \"" + port + "\" (expected: 1 to " + PORT_MAX + ")");
        }
        return name + ":" + port;
    }

    private static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : query.split("&", -1)) {
            if (part.isEmpty()) {
                continue;
            }
            String[] pair = part.split("=", 2);
            if (pair.length < 2) {
                throw refused("its parameter \"" + pair[0] + "\" has no value");
            }
            String name = decode("a parameter", pair[0]);
            if (name.equals("hostaddr")) {
                throw refused("hostaddr has no counterpart here: name the address as the host");
            }
            parameters.put(name, decode("its parameter \"" + name + "\"", pair[1]));
        }
        return parameters;
    }

    private static void requireTarget(String target) {
        if (!TARGETS.contains(target)) {
            throw refused(TARGET + " is \"" + target
                    + "\", but a scheduler writes, so it needs the primary: leave it out, or use read-write");
        }
    }

    static MillraceException refused(String why) {
        return new MillraceException(
                ErrorCode.INVALID_CONFIG,
                "millrace.database.url is not usable: " + why
                        + " (expected: postgres://user:password@host:5432/database or jdbc:postgresql://…).");
    }

    private static String decode(String what, String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException malformed) {
            // The cause is left out on purpose: its message may quote the password.
            throw refused(what + " has a \"%\" without two hexadecimal digits: write \"%\" as %25");
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, UTF_8).replace("+", "%20");
    }
}
