package dev.millrace.scheduler.config;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.text.Durations;
import dev.millrace.tls.KeyFiles;
import dev.millrace.tls.TlsException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.smallrye.config.source.yaml.YamlConfigSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the settings from flags, environment variables, the YAML file and the defaults. */
final class ConfigLoader {
    private static final int FLAGS_ORDINAL = 400;
    private static final int ENVIRONMENT_ORDINAL = 300;
    private static final int YAML_ORDINAL = 200;
    private static final int CONVERTER_PRIORITY = 200;
    private static final String DATABASE_URL_DEFAULT = "postgres://localhost:5432/millrace";

    private final SmallRyeConfig config;
    private final Set<String> retentionKeys;

    private ConfigLoader(SmallRyeConfig config, Set<String> retentionKeys) {
        this.config = config;
        this.retentionKeys = retentionKeys;
    }

    static SchedulerConfig load(Map<String, String> flags, Optional<Path> yaml, Map<String, String> environment) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(flags, "flags", FLAGS_ORDINAL))
                .withSources(new EnvConfigSource(environment, ENVIRONMENT_ORDINAL))
                .withConverter(Duration.class, CONVERTER_PRIORITY, ConfigLoader::duration);
        KnownKeys.check("the flags", flags.keySet());
        KnownKeys.checkEnvironment(environment.keySet());
        Set<String> keys = new TreeSet<>(flags.keySet());
        yaml.map(ConfigLoader::yamlSource).ifPresent(source -> {
            KnownKeys.check(source.getName(), source.getPropertyNames());
            keys.addAll(source.getPropertyNames());
            builder.withSources(source);
        });
        keys.removeIf(key -> !key.startsWith(RetentionConfig.SECTION));
        KnownKeys.retentionKeys(environment.keySet()).forEach(keys::add);
        return new ConfigLoader(builder.build(), keys).read(environment);
    }

    /** Fails with {@link IllegalArgumentException} if the text is neither a number with a unit nor ISO-8601. */
    private static Duration duration(String text) {
        return Durations.parse(text.strip()).orElseGet(() -> isoDuration(text.strip()));
    }

    private static Duration isoDuration(String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new IllegalArgumentException("expected a duration such as 250ms, 30s, 5m or 2h", unreadable);
        }
    }

    private GrpcConfig grpc() {
        return new GrpcConfig(
                value(KnownKeys.GRPC_HOST, String.class, GrpcConfig.HOST_DEFAULT),
                value(KnownKeys.GRPC_PORT, Integer.class, GrpcConfig.PORT_DEFAULT),
                grpcTls(),
                value(KnownKeys.GRPC_ALLOW_PLAINTEXT, Boolean.class, false));
    }

    private Optional<GrpcTlsConfig> grpcTls() {
        Optional<Path> clientAuthorities = file(KnownKeys.GRPC_TLS_CLIENT_CA);
        Optional<KeyFiles> own;
        try {
            own = KeyFiles.of(
                    KnownKeys.GRPC_TLS_CERTIFICATE,
                    file(KnownKeys.GRPC_TLS_CERTIFICATE),
                    KnownKeys.GRPC_TLS_KEY,
                    file(KnownKeys.GRPC_TLS_KEY));
        } catch (TlsException incomplete) {
            throw new MillraceException(ErrorCode.INVALID_CONFIG, String.valueOf(incomplete.getMessage()), incomplete);
        }
        if (own.isEmpty() && clientAuthorities.isPresent()) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    KnownKeys.GRPC_TLS_CLIENT_CA + " has no effect without " + KnownKeys.GRPC_TLS_CERTIFICATE + " and "
                            + KnownKeys.GRPC_TLS_KEY + ": set them, too.");
        }
        return own.map(files -> new GrpcTlsConfig(files, clientAuthorities));
    }

    private Optional<Path> file(String key) {
        return config.getOptionalValue(key, String.class).map(Path::of);
    }

    private SchedulerConfig read(Map<String, String> environment) {
        return new SchedulerConfig(
                grpc(),
                new AccessConfig(
                        value(KnownKeys.ACCESS_REQUIRED, Boolean.class, false),
                        Path.of(value(
                                KnownKeys.ACCESS_OWNER_TOKEN_FILE,
                                String.class,
                                AccessConfig.OWNER_TOKEN_FILE_DEFAULT.toString())),
                        oidc()),
                new SecretsConfig(
                        path(KnownKeys.SECRETS_KEY_FILE, SecretsConfig.KEY_FILE_DEFAULT),
                        text(KnownKeys.SECRETS_FOLDER).map(Path::of),
                        text(KnownKeys.VAULT_ADDRESS).map(this::vault)),
                new DatabaseConfig(
                        location(environment),
                        value(KnownKeys.DATABASE_POOL_SIZE, Integer.class, DatabaseConfig.POOL_SIZE_DEFAULT),
                        value(KnownKeys.DATABASE_MIGRATE, Boolean.class, true)),
                value(KnownKeys.LANES, Integer.class, SchedulerConfig.LANES_DEFAULT),
                new EvaluatorConfig(
                        value(KnownKeys.EVALUATOR_PROCESSES, Integer.class, EvaluatorConfig.PROCESSES_DEFAULT),
                        value(KnownKeys.EVALUATOR_HEAP_MIB, Integer.class, EvaluatorConfig.HEAP_MIB_DEFAULT)),
                new WorkerConfig(
                        value(KnownKeys.WORKER_SESSION_TTL, Duration.class, WorkerConfig.SESSION_TTL_DEFAULT),
                        value(
                                KnownKeys.WORKER_HEARTBEAT_INTERVAL,
                                Duration.class,
                                WorkerConfig.HEARTBEAT_INTERVAL_DEFAULT)),
                new JobConfig(
                        value(KnownKeys.JOB_TIMEOUT_DEFAULT, Duration.class, JobConfig.TIMEOUT_DEFAULT),
                        value(KnownKeys.JOB_LOSSES_MAX, Integer.class, JobConfig.LOSSES_MAX_DEFAULT)),
                new LimitConfig(
                        value(KnownKeys.PAYLOAD_BYTES_MAX, Integer.class, LimitConfig.PAYLOAD_BYTES_MAX_DEFAULT),
                        value(KnownKeys.SCRIPT_BYTES_MAX, Integer.class, LimitConfig.SCRIPT_BYTES_MAX_DEFAULT),
                        value(KnownKeys.FLOW_BYTES_MAX, Integer.class, LimitConfig.FLOW_BYTES_MAX_DEFAULT),
                        value(KnownKeys.LOG_BYTES_MAX, Long.class, LimitConfig.LOG_BYTES_MAX_DEFAULT)),
                blob(),
                alert(),
                new TriggerConfig(
                        value(KnownKeys.TRIGGER_ALLOW_PRIVATE, Boolean.class, TriggerConfig.DEFAULT.allowsPrivate())),
                new RetentionConfig(retentionKeys.stream()
                        .collect(Collectors.toMap(
                                Function.identity(), key -> value(key, Duration.class, Duration.ZERO)))));
    }

    private AlertConfig alert() {
        return new AlertConfig(
                value(KnownKeys.ALERT_ALLOW_PRIVATE, Boolean.class, false),
                text(KnownKeys.SMTP_HOST)
                        .map(host -> new SmtpConfig(
                                host,
                                value(KnownKeys.SMTP_PORT, Integer.class, SmtpConfig.PORT_DEFAULT),
                                value(KnownKeys.SMTP_SECURITY, SmtpConfig.Security.class, SmtpConfig.Security.STARTTLS),
                                text(KnownKeys.SMTP_FROM).orElse(""),
                                text(KnownKeys.SMTP_USER),
                                text(KnownKeys.SMTP_PASSWORD).orElse(""))),
                text(KnownKeys.ALERT_CONSOLE_URL).map(address -> uri(KnownKeys.ALERT_CONSOLE_URL, address)));
    }

    private BlobConfig blob() {
        return new BlobConfig(
                value(KnownKeys.BLOB_STORE, BlobStoreKind.class, BlobStoreKind.POSTGRES),
                file(KnownKeys.BLOB_FOLDER),
                text(KnownKeys.BLOB_S3_BUCKET).map(this::blobBucket),
                value(KnownKeys.BLOB_BYTES_MAX, Long.class, BlobConfig.BYTES_MAX_DEFAULT),
                value(KnownKeys.BLOB_UNUSED_TIME, Duration.class, BlobConfig.UNUSED_TIME_DEFAULT));
    }

    private BlobBucketConfig blobBucket(String name) {
        return new BlobBucketConfig(
                name,
                text(KnownKeys.BLOB_S3_PREFIX).orElse(""),
                text(KnownKeys.BLOB_S3_ENDPOINT).map(address -> uri(KnownKeys.BLOB_S3_ENDPOINT, address)),
                text(KnownKeys.BLOB_S3_REGION),
                value(
                        KnownKeys.BLOB_S3_PATH_STYLE,
                        Boolean.class,
                        text(KnownKeys.BLOB_S3_ENDPOINT).isPresent()));
    }

    private VaultConfig vault(String address) {
        return new VaultConfig(
                uri(KnownKeys.VAULT_ADDRESS, address),
                path(KnownKeys.VAULT_TOKEN_FILE, VaultConfig.TOKEN_FILE_DEFAULT),
                text(KnownKeys.VAULT_NAMESPACE).orElse(""),
                text(KnownKeys.VAULT_MOUNT).orElse(VaultConfig.MOUNT_DEFAULT),
                text(KnownKeys.VAULT_PREFIX).orElse(VaultConfig.PREFIX_DEFAULT),
                text(KnownKeys.VAULT_TRANSIT_MOUNT).orElse(VaultConfig.TRANSIT_MOUNT_DEFAULT),
                text(KnownKeys.VAULT_TRANSIT_KEY));
    }

    private static URI uri(String key, String text) {
        try {
            return new URI(text);
        } catch (URISyntaxException wrong) {
            throw new MillraceException(ErrorCode.INVALID_CONFIG, key + ": \"" + text + "\" (expected: a URL)", wrong);
        }
    }

    private Path path(String key, Path otherwise) {
        return text(key).map(Path::of).orElse(otherwise);
    }

    private Optional<String> text(String key) {
        return config.getOptionalValue(key, String.class);
    }

    private OidcConfig oidc() {
        Optional<String> issuer = config.getOptionalValue(KnownKeys.OIDC_ISSUER, String.class);
        return new OidcConfig(issuer.map(this::provider), texts(KnownKeys.OIDC_EXCHANGE_ISSUERS, ""));
    }

    private OidcConfig.Provider provider(String issuer) {
        return new OidcConfig.Provider(
                issuer,
                value(KnownKeys.OIDC_CLIENT_ID, String.class, ""),
                config.getOptionalValue(KnownKeys.OIDC_CLIENT_SECRET_FILE, String.class)
                        .map(Path::of),
                texts(KnownKeys.OIDC_SCOPES, OidcConfig.SCOPES_DEFAULT),
                value(KnownKeys.OIDC_NAME_CLAIM, String.class, OidcConfig.NAME_CLAIM_DEFAULT),
                value(KnownKeys.OIDC_GROUPS_CLAIM, String.class, OidcConfig.GROUPS_CLAIM_DEFAULT),
                Set.copyOf(texts(KnownKeys.OIDC_ALLOWED_AUDIENCES, "")));
    }

    /** The texts of a list, which commas or spaces separate. */
    private List<String> texts(String key, String otherwise) {
        return Stream.of(value(key, String.class, otherwise).split("[,\\s]+", -1))
                .filter(text -> !text.isEmpty())
                .distinct()
                .toList();
    }

    private DatabaseLocation location(Map<String, String> environment) {
        return config.getOptionalValue(KnownKeys.DATABASE_URL, String.class)
                .or(() -> Optional.ofNullable(environment.get("DATABASE_URL")))
                .map(DatabaseLocation::parse)
                .or(() -> DatabaseLocation.fromLibpq(environment))
                .orElseGet(() -> DatabaseLocation.parse(DATABASE_URL_DEFAULT))
                .with(
                        text(KnownKeys.DATABASE_USER),
                        file(KnownKeys.DATABASE_PASSWORD_FILE).map(ConfigLoader::firstLine));
    }

    private static String firstLine(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.findFirst()
                    .filter(line -> !line.isEmpty())
                    .orElseThrow(() -> new MillraceException(
                            ErrorCode.INVALID_CONFIG,
                            KnownKeys.DATABASE_PASSWORD_FILE + ": " + file
                                    + " is empty (expected: a file whose first line is the password)."));
        } catch (IOException | UncheckedIOException unreadable) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    KnownKeys.DATABASE_PASSWORD_FILE + ": " + file
                            + " cannot be read: check that it exists and that this user may read it.",
                    unreadable);
        }
    }

    private <T> T value(String key, Class<T> type, T otherwise) {
        try {
            return config.getOptionalValue(key, type).orElse(otherwise);
        } catch (IllegalArgumentException unreadable) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    key + ": \"" + config.getConfigValue(key).getRawValue() + "\" cannot be read ("
                            + (type == Duration.class
                                    ? "expected: a duration such as 250ms, 30s, 5m or 2h"
                                    : "expected: a value of type " + type.getSimpleName())
                            + ")",
                    unreadable);
        }
    }

    private static YamlConfigSource yamlSource(Path file) {
        try {
            return YamlSettings.parse(file.toString(), Files.readString(file), YAML_ORDINAL);
        } catch (IOException unreadable) {
            throw new MillraceException(
                    ErrorCode.INVALID_CONFIG,
                    "The configuration file " + file
                            + " cannot be read: check that it exists and that this user may read it.",
                    unreadable);
        } catch (IllegalArgumentException malformed) {
            throw new MillraceException(ErrorCode.INVALID_CONFIG, String.valueOf(malformed.getMessage()), malformed);
        }
    }
}
