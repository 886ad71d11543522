package dev.millrace.scheduler.config;

import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The keys of the scheduler's settings. The start fails if a key looks meant for the scheduler but is unknown. */
final class KnownKeys {
    static final String GRPC_HOST = "millrace.grpc.host";
    static final String GRPC_PORT = "millrace.grpc.port";
    static final String GRPC_TLS_CERTIFICATE = "millrace.grpc.tls.certificate";
    static final String GRPC_TLS_KEY = "millrace.grpc.tls.key";
    static final String GRPC_TLS_CLIENT_CA = "millrace.grpc.tls.client-ca";
    static final String GRPC_ALLOW_PLAINTEXT = "millrace.grpc.allow-plaintext";
    static final String ACCESS_REQUIRED = "millrace.access.required";
    static final String ACCESS_OWNER_TOKEN_FILE = "millrace.access.owner-token-file";
    static final String OIDC_ISSUER = "millrace.oidc.issuer";
    static final String OIDC_CLIENT_ID = "millrace.oidc.client-id";
    static final String OIDC_CLIENT_SECRET_FILE = "millrace.oidc.client-secret-file";
    static final String OIDC_SCOPES = "millrace.oidc.scopes";
    static final String OIDC_NAME_CLAIM = "millrace.oidc.name-claim";
    static final String OIDC_GROUPS_CLAIM = "millrace.oidc.groups-claim";
    static final String OIDC_ALLOWED_AUDIENCES = "millrace.oidc.allowed-audiences";
    static final String OIDC_EXCHANGE_ISSUERS = "millrace.oidc.exchange-issuers";
    static final String DATABASE_URL = "millrace.database.url";
    static final String DATABASE_USER = "millrace.database.user";
    static final String DATABASE_PASSWORD_FILE = "millrace.database.password-file";
    static final String DATABASE_POOL_SIZE = "millrace.database.pool-size";
    static final String DATABASE_MIGRATE = "millrace.database.migrate";
    static final String SECRETS_KEY_FILE = "millrace.secrets.key-file";
    static final String SECRETS_FOLDER = "millrace.secrets.folder";
    static final String VAULT_ADDRESS = "millrace.secrets.vault.address";
    static final String VAULT_TOKEN_FILE = "millrace.secrets.vault.token-file";
    static final String VAULT_NAMESPACE = "millrace.secrets.vault.namespace";
    static final String VAULT_MOUNT = "millrace.secrets.vault.mount";
    static final String VAULT_PREFIX = "millrace.secrets.vault.prefix";
    static final String VAULT_TRANSIT_MOUNT = "millrace.secrets.vault.transit-mount";
    static final String VAULT_TRANSIT_KEY = "millrace.secrets.vault.transit-key";
    static final String LANES = "millrace.lanes";
    static final String EVALUATOR_PROCESSES = "millrace.evaluator.processes";
    static final String EVALUATOR_HEAP_MIB = "millrace.evaluator.heap-mib";
    static final String WORKER_SESSION_TTL = "millrace.worker.session-ttl";
    static final String WORKER_HEARTBEAT_INTERVAL = "millrace.worker.heartbeat-interval";
    static final String JOB_TIMEOUT_DEFAULT = "millrace.job.timeout-default";
    static final String JOB_LOSSES_MAX = "millrace.job.losses-max";
    static final String PAYLOAD_BYTES_MAX = "millrace.limit.payload-bytes-max";
    static final String SCRIPT_BYTES_MAX = "millrace.limit.script-bytes-max";
    static final String FLOW_BYTES_MAX = "millrace.limit.flow-bytes-max";
    static final String LOG_BYTES_MAX = "millrace.limit.log-bytes-max";
    static final String ALERT_ALLOW_PRIVATE = "millrace.alert.allow-private";
    static final String ALERT_CONSOLE_URL = "millrace.alert.console-url";
    static final String SMTP_HOST = "millrace.mail.host";
    static final String SMTP_PORT = "millrace.mail.port";
    static final String SMTP_SECURITY = "millrace.mail.security";
    static final String SMTP_FROM = "millrace.mail.from";
    static final String SMTP_USER = "millrace.mail.user";
    static final String SMTP_PASSWORD = "millrace.mail.password";
    static final String TRIGGER_ALLOW_PRIVATE = "millrace.trigger.allow-private";
    static final String BLOB_STORE = "millrace.blob.store";
    static final String BLOB_FOLDER = "millrace.blob.folder";
    static final String BLOB_S3_BUCKET = "millrace.blob.s3.bucket";
    static final String BLOB_S3_PREFIX = "millrace.blob.s3.prefix";
    static final String BLOB_S3_ENDPOINT = "millrace.blob.s3.endpoint";
    static final String BLOB_S3_REGION = "millrace.blob.s3.region";
    static final String BLOB_S3_PATH_STYLE = "millrace.blob.s3.path-style";
    static final String BLOB_BYTES_MAX = "millrace.blob.bytes-max";
    static final String BLOB_UNUSED_TIME = "millrace.blob.unused-time";

    static final List<String> ALL = List.of(
            GRPC_HOST,
            GRPC_PORT,
            GRPC_TLS_CERTIFICATE,
            GRPC_TLS_KEY,
            GRPC_TLS_CLIENT_CA,
            GRPC_ALLOW_PLAINTEXT,
            ACCESS_REQUIRED,
            ACCESS_OWNER_TOKEN_FILE,
            OIDC_ISSUER,
            OIDC_CLIENT_ID,
            OIDC_CLIENT_SECRET_FILE,
            OIDC_SCOPES,
            OIDC_NAME_CLAIM,
            OIDC_GROUPS_CLAIM,
            OIDC_ALLOWED_AUDIENCES,
            OIDC_EXCHANGE_ISSUERS,
            DATABASE_URL,
            DATABASE_USER,
            DATABASE_PASSWORD_FILE,
            DATABASE_POOL_SIZE,
            DATABASE_MIGRATE,
            SECRETS_KEY_FILE,
            SECRETS_FOLDER,
            VAULT_ADDRESS,
            VAULT_TOKEN_FILE,
            VAULT_NAMESPACE,
            VAULT_MOUNT,
            VAULT_PREFIX,
            VAULT_TRANSIT_MOUNT,
            VAULT_TRANSIT_KEY,
            LANES,
            EVALUATOR_PROCESSES,
            EVALUATOR_HEAP_MIB,
            WORKER_SESSION_TTL,
            WORKER_HEARTBEAT_INTERVAL,
            JOB_TIMEOUT_DEFAULT,
            JOB_LOSSES_MAX,
            PAYLOAD_BYTES_MAX,
            SCRIPT_BYTES_MAX,
            FLOW_BYTES_MAX,
            LOG_BYTES_MAX,
            BLOB_STORE,
            BLOB_FOLDER,
            BLOB_S3_BUCKET,
            BLOB_S3_PREFIX,
            BLOB_S3_ENDPOINT,
            BLOB_S3_REGION,
            BLOB_S3_PATH_STYLE,
            BLOB_BYTES_MAX,
            BLOB_UNUSED_TIME,
            ALERT_ALLOW_PRIVATE,
            ALERT_CONSOLE_URL,
            SMTP_HOST,
            SMTP_PORT,
            SMTP_SECURITY,
            SMTP_FROM,
            SMTP_USER,
            SMTP_PASSWORD,
            TRIGGER_ALLOW_PRIVATE);

    /** Sections that belong to the scheduler alone. */
    private static final List<String> OWN_SECTIONS = List.of(
            "millrace.grpc.",
            "millrace.access.",
            "millrace.oidc.",
            "millrace.database.",
            "millrace.secrets.",
            "millrace.lanes",
            "millrace.evaluator.",
            "millrace.job.",
            "millrace.limit.",
            "millrace.blob.",
            "millrace.alert.",
            "millrace.mail.",
            "millrace.trigger.");
    /** Sections of the other services, whose settings may share the file. */
    private static final List<String> FOREIGN_SECTIONS =
            List.of("millrace.http.", "millrace.gateway.", "millrace.scheduler.", "millrace.worker.");
    /** Maximum number of edits between a key of another section and one of ours that still count as a typo. */
    private static final int TYPO_DISTANCE_MAX = 2;

    private static final LevenshteinDistance DISTANCE = LevenshteinDistance.getDefaultInstance();

    private KnownKeys() {}

    /**
     * Fails with the nearest known key if a key is unknown. Skips the retention keys, which only the retention rules
     * know.
     */
    static void check(String source, Collection<String> keys) {
        for (String key : keys) {
            if (key.startsWith(RetentionConfig.SECTION)) {
                continue;
            }
            boolean unknown = FOREIGN_SECTIONS.stream().noneMatch(key::startsWith)
                    || DISTANCE.apply(key, nearest(key)) <= TYPO_DISTANCE_MAX;
            if (unknown && !ALL.contains(key)) {
                throw unknown(key, source, nearest(key));
            }
        }
    }

    /** Fails with the nearest known key if a key is unknown. */
    static void requireAmong(Collection<String> keys, Collection<String> known) {
        for (String key : keys) {
            if (!known.contains(key)) {
                throw unknown(key, "the settings", nearest(key, known));
            }
        }
    }

    /**
     * Fails with the nearest known variable if a variable of the scheduler's sections is unknown. Other variables may
     * belong to anyone.
     */
    static void checkEnvironment(Set<String> variables) {
        List<String> known = ALL.stream().map(KnownKeys::variable).toList();
        for (String variable : variables) {
            if (OWN_SECTIONS.stream().map(KnownKeys::variable).anyMatch(variable::startsWith)
                    && !known.contains(variable)) {
                throw unknown(variable, "the environment", nearest(variable, known));
            }
        }
    }

    private static MillraceException unknown(String key, String source, String nearest) {
        return new MillraceException(
                ErrorCode.INVALID_CONFIG,
                "The setting " + key + " in " + source + " is unknown: did you mean " + nearest + "?");
    }

    private static String nearest(String key) {
        return nearest(key, ALL);
    }

    private static String nearest(String key, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> DISTANCE.apply(key, candidate)))
                .orElseThrow();
    }

    /** The retention keys that these environment variables set. */
    static Stream<String> retentionKeys(Collection<String> variables) {
        String start = variable(RetentionConfig.SECTION);
        return variables.stream()
                .filter(variable -> variable.startsWith(start))
                .map(variable -> RetentionConfig.SECTION
                        + variable.substring(start.length())
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'));
    }

    private static String variable(String key) {
        return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
