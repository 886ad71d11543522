package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.worker.JobException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * A database and the account that a job uses there.
 *
 * @param host name or address of the machine
 * @param port port; 0 for the usual one
 * @param name name of the database; empty for that of the account
 * @param user account; may be empty
 * @param password its password; may be empty
 * @param tls how the connection is protected
 * @param rootCertificate certificate in PEM of the authority that is trusted with {@link Encryption#VERIFIED}; empty for
 *     those that Java trusts
 */
record SqlDatabase(
        String host, int port, String name, String user, String password, Encryption tls, String rootCertificate) {
    /** How a connection is protected. */
    enum Encryption {
        /** TLS if the server has it, and any certificate will do. */
        PREFERRED,
        /** No TLS. */
        OFF,
        /** TLS, and any certificate will do. */
        REQUIRED,
        /** TLS with a certificate of this host, from an authority that is trusted. */
        VERIFIED
    }

    /** Name of the input that holds the database. */
    static final String INPUT = "database";

    SqlDatabase {
        requireNonNull(host, "host");
        requireNonNull(name, "name");
        requireNonNull(user, "user");
        requireNonNull(password, "password");
        requireNonNull(tls, "tls");
        requireNonNull(rootCertificate, "rootCertificate");
    }

    /**
     * Reads the input: an object with {@code host}, {@code port}, {@code user}, {@code password}, {@code dbname} (or
     * {@code database}), {@code sslmode} (or {@code ssl}) and {@code root_certificate_pem}, as resources of Windmill are, or
     * a URL such as
     * {@code postgresql://user:password@host:5432/name?sslmode=require}.
     *
     * @throws JobException if it is neither
     */
    static SqlDatabase of(JsonNode input) {
        JsonNode value = input.path(INPUT);
        if (value.isTextual()) {
            return ofUrl(value.textValue());
        }
        if (!value.isObject()) {
            throw SqlErrors.input("The input lacks \"" + INPUT
                    + "\": pass a resource with host, port, user, password and dbname, for example"
                    + " database: ${{ resources.shop.db }}.");
        }
        return new SqlDatabase(
                text(value, "host").orElse("localhost"),
                port(value.path("port")),
                text(value, "dbname").or(() -> text(value, "database")).orElse(""),
                text(value, "user").orElse(""),
                text(value, "password").orElse(""),
                encryption(text(value, "sslmode"), value.path("ssl")),
                text(value, "root_certificate_pem").orElse(""));
    }

    private static SqlDatabase ofUrl(String text) {
        try {
            URI url = new URI(text);
            if (url.getScheme() == null || url.getHost() == null) {
                throw new URISyntaxException("", "it needs a scheme and a host");
            }
            String account = Optional.ofNullable(url.getRawUserInfo()).orElse("");
            int colon = account.indexOf(':');
            Optional<String> sslmode = Optional.ofNullable(url.getQuery()).stream()
                    .flatMap(query -> List.of(query.split("&", -1)).stream())
                    .filter(item -> item.startsWith("sslmode="))
                    .map(item -> item.substring("sslmode=".length()))
                    .findFirst();
            return new SqlDatabase(
                    url.getHost(),
                    Math.max(0, url.getPort()),
                    Optional.ofNullable(url.getPath()).orElse("").replaceFirst("^/", ""),
                    decoded(colon < 0 ? account : account.substring(0, colon)),
                    decoded(colon < 0 ? "" : account.substring(colon + 1)),
                    encryption(sslmode, com.fasterxml.jackson.databind.node.MissingNode.getInstance()),
                    "");
        } catch (URISyntaxException e) {
            // The reason alone, as the text may hold a password.
            throw SqlErrors.input("The input \"" + INPUT + "\" is no URL of a database: " + e.getReason()
                    + ". Write it as postgresql://USER:PASSWORD@HOST:PORT/NAME, or pass a resource.");
        }
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static Optional<String> text(JsonNode value, String field) {
        JsonNode found = value.path(field);
        if (found.isMissingNode() || found.isNull()) {
            return Optional.empty();
        }
        if (!found.isTextual()) {
            throw SqlErrors.input("The field \"" + field + "\" of the input \"" + INPUT + "\" must be a text.");
        }
        return Optional.of(found.textValue()).filter(text -> !text.isEmpty());
    }

    private static int port(JsonNode value) {
        String text = value.asText("0");
        if (value.isMissingNode() || value.isNull()) {
            return 0;
        }
        if (!text.matches("[0-9]{1,5}") || Integer.parseInt(text) > 65_535) {
            throw SqlErrors.input("The field \"port\" of the input \"" + INPUT + "\" must be a number up to 65535.");
        }
        return Integer.parseInt(text);
    }

    private static Encryption encryption(Optional<String> sslmode, JsonNode ssl) {
        if (sslmode.isEmpty()) {
            return !ssl.isBoolean() ? Encryption.PREFERRED : ssl.booleanValue() ? Encryption.REQUIRED : Encryption.OFF;
        }
        return switch (sslmode.get()) {
            case "disable" -> Encryption.OFF;
            case "allow", "prefer" -> Encryption.PREFERRED;
            case "require" -> Encryption.REQUIRED;
            case "verify-ca", "verify-full" -> Encryption.VERIFIED;
            default ->
                throw SqlErrors.input("The sslmode \"" + sslmode.get()
                        + "\" of the database is unknown: use disable, prefer, require or verify-full.");
        };
    }

    /** The database in words, without its password. */
    String inWords() {
        return (name.isEmpty() ? "" : name + " on ") + host + (port == 0 ? "" : ":" + port);
    }

    /** Hides the password. */
    @Override
    public String toString() {
        return inWords();
    }
}
