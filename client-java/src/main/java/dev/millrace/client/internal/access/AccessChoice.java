package dev.millrace.client.internal.access;

import dev.millrace.client.AccessException;
import dev.millrace.tls.ClientTls;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.LoopbackTarget;
import dev.millrace.tls.SchedulerTargets;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Chooses each setting from the first source that names it: the program, the environment, the context. */
public final class AccessChoice {
    /** Value for an authority's file that stands for the authorities that Java trusts. */
    public static final String SYSTEM_AUTHORITIES = ClientTls.SYSTEM;

    private static final String TARGET_DEFAULT = "localhost:8401";
    private static final int PORT_DEFAULT = 8401;
    private static final Pattern TARGET = Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[A-Za-z0-9._-]+):\\d{1,5}");
    private static final Set<String> TRUE = Set.of("true", "1", "yes", "on");

    private final Given given;
    private final Map<String, String> environment;
    private final String server;
    private final Optional<Context> context;

    private AccessChoice(Given given, Map<String, String> environment, String server, Optional<Context> context) {
        this.given = given;
        this.environment = environment;
        this.server = server;
        this.context = context;
    }

    /**
     * Chooses.
     *
     * @throws AccessException if the settings contradict each other, or a file cannot be used
     */
    public static Access choose(Given given, Map<String, String> environment) {
        Contexts contexts = Contexts.read(environment);
        String named = environment.getOrDefault("MILLRACE_SERVER", "");
        String wanted = first(given.context, environment.get("MILLRACE_CONTEXT"));
        if (!wanted.isEmpty()) {
            Context context = contexts.require(wanted);
            if (!named.isEmpty() && !isSame(named, context.server())) {
                throw new AccessException("The context '" + wanted + "' is one of " + context.server()
                        + ", but MILLRACE_SERVER is " + named + ". Unset one of them.");
            }
            return new AccessChoice(given, environment, context.server(), Optional.of(context)).access();
        }
        Optional<Context> current =
                contexts.current().isEmpty() ? Optional.empty() : Optional.of(contexts.require(contexts.current()));
        if (!named.isEmpty()) {
            Optional<Context> same = current.filter(context -> isSame(named, context.server()));
            return new AccessChoice(given, environment, named, same).access();
        }
        return new AccessChoice(given, environment, current.map(Context::server).orElse(""), current).access();
    }

    private Access access() {
        String target = first(given.target, environment.get("MILLRACE_SCHEDULER_TARGET"), targetOf(server));
        List<String> targets = SchedulerTargets.of(target);
        if (!targets.stream().allMatch(each -> TARGET.matcher(each).matches())) {
            throw new AccessException("The address '" + target + "' of the scheduler is not HOST:PORT. Write it like "
                    + TARGET_DEFAULT + ", and several separated by commas.");
        }
        TokenSource tokens = tokens(target);
        Optional<ClientTls> tls = tls();
        if (tls.isEmpty()
                && !tokens.token().isEmpty()
                && !targets.stream().allMatch(LoopbackTarget::is)
                && !isPlaintextAllowed()) {
            throw new AccessException("The token would travel unencrypted to " + target
                    + ", where others can read it on the way. Name the authority of the scheduler's certificate (caFile, or"
                    + " MILLRACE_SCHEDULER_TLS_CA), or allow plain text if something else encrypts the connection"
                    + " (allowPlaintext, or MILLRACE_SCHEDULER_ALLOW_PLAINTEXT=true).");
        }
        String workspace = first(
                given.workspace,
                environment.get("MILLRACE_WORKSPACE"),
                context.map(Context::workspace).orElse(""));
        return new Access(target, workspace, tokens, tls);
    }

    private TokenSource tokens(String target) {
        if (!given.token.isEmpty() && !given.tokenFile.isEmpty()) {
            throw new AccessException(
                    "token and tokenFile are both given, and only one can count. Leave one of them out.");
        }
        if (!given.token.isEmpty() || !given.tokenFile.isEmpty()) {
            return TokenSource.of(given.token, given.tokenFile);
        }
        String text = environment.getOrDefault("MILLRACE_TOKEN", "");
        String file = environment.getOrDefault("MILLRACE_TOKEN_FILE", "");
        if (!text.isEmpty() && !file.isEmpty()) {
            throw new AccessException(
                    "MILLRACE_TOKEN and MILLRACE_TOKEN_FILE are both set, and only one can count. Unset one.");
        }
        if (!text.isEmpty() || !file.isEmpty()) {
            return TokenSource.of(text, file);
        }
        // The token of a context goes to no other host than that of its server.
        return TokenSource.of(
                context.filter(it -> host(targetOf(it.server())).equals(host(target)))
                        .map(Context::token)
                        .orElse(""),
                "");
    }

    private Optional<ClientTls> tls() {
        String certificate = first(given.certificateFile, environment.get("MILLRACE_SCHEDULER_TLS_CERTIFICATE"));
        String key = first(given.keyFile, environment.get("MILLRACE_SCHEDULER_TLS_KEY"));
        if (certificate.isEmpty() != key.isEmpty()) {
            throw new AccessException(
                    "A certificate of the caller needs both its file and the file of its key. Name both, or neither.");
        }
        String ca = first(given.caFile, environment.get("MILLRACE_SCHEDULER_TLS_CA"));
        if (ca.isEmpty() && !server.isEmpty()) {
            ca = first(
                    environment.get("MILLRACE_CA_FILE"),
                    context.map(Context::caFile).orElse(""));
        }
        if (ca.isEmpty()
                && certificate.isEmpty()
                && !server.toLowerCase(Locale.ROOT).startsWith("https://")) {
            return Optional.empty();
        }
        for (String file : List.of(ca, certificate, key)) {
            if (!file.isEmpty() && !file.equals(SYSTEM_AUTHORITIES) && !Files.isRegularFile(Path.of(file))) {
                throw new AccessException("There is no file " + file
                        + ", which should hold a certificate or key in PEM. Correct its path.");
            }
        }
        return Optional.of(new ClientTls(
                ca.isEmpty() || ca.equals(SYSTEM_AUTHORITIES) ? Optional.empty() : Optional.of(Path.of(ca)),
                certificate.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new KeyFiles(Path.of(certificate), Path.of(key)))));
    }

    private boolean isPlaintextAllowed() {
        String value = environment.getOrDefault("MILLRACE_SCHEDULER_ALLOW_PLAINTEXT", "");
        return given.isPlaintextAllowed || TRUE.contains(value.strip().toLowerCase(Locale.ROOT));
    }

    /** The scheduler beside a gateway: the same host, and the port that schedulers have if nobody chooses another. */
    private static String targetOf(String server) {
        if (server.isEmpty()) {
            return TARGET_DEFAULT;
        }
        String host = hostOf(server);
        if (host == null) {
            throw new AccessException("The server address '" + server
                    + "' is not an http or https URL. Write it like http://localhost:8400.");
        }
        return host + ":" + PORT_DEFAULT;
    }

    private static @Nullable String hostOf(String server) {
        try {
            return URI.create(server).getHost();
        } catch (IllegalArgumentException notAnAddress) {
            return null;
        }
    }

    private static boolean isSame(String one, String other) {
        return plain(one).equals(plain(other));
    }

    private static String plain(String url) {
        return url.replaceAll("/+$", "").toLowerCase(Locale.ROOT);
    }

    private static String host(String target) {
        return target.substring(0, target.lastIndexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static String first(@Nullable String... texts) {
        for (String text : texts) {
            if (text != null && !text.isEmpty()) {
                return text;
            }
        }
        return "";
    }
}
