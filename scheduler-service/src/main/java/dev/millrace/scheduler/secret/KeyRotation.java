package dev.millrace.scheduler.secret;

import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.secret.key.Keys;
import dev.millrace.scheduler.secret.key.WorkspaceKeys;
import dev.millrace.scheduler.secret.key.WrappedKeys;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Encrypts values again after a rotation, in batches, and then removes the keys that no value needs. What is left to do
 * stands in the database, so any scheduler goes on with it at any time.
 */
final class KeyRotation implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(KeyRotation.class);
    /** How often a rotation that another scheduler has begun is noticed. */
    private static final Duration INTERVAL = Duration.ofMinutes(5);
    /** Maximum number of values that are encrypted in one transaction. */
    private static final int BATCH_MAX = 100;

    private final SecretStore secrets;
    private final WorkspaceKeys workspaceKeys;
    private final Keys keys;
    private final Loop loop;

    private KeyRotation(SecretStore secrets, WorkspaceKeys workspaceKeys, Keys keys) {
        this.secrets = secrets;
        this.workspaceKeys = workspaceKeys;
        this.keys = keys;
        this.loop = Loop.of("key-rotation", () -> {
            runOnce();
            return INTERVAL;
        });
    }

    static KeyRotation start(SecretStore secrets, WorkspaceKeys workspaceKeys, Keys keys) {
        KeyRotation rotation = new KeyRotation(secrets, workspaceKeys, keys);
        keys.whenRotated(rotation.loop::wake);
        rotation.loop.start();
        return rotation;
    }

    private void runOnce() {
        for (WrappedKeys wrapped : keys.rotating()) {
            try {
                encryptAgain(wrapped);
            } catch (MillraceException unusable) {
                // A key that is missing, or a value that somebody changed, must not hold up the other workspaces.
                log.atWarn()
                        .addKeyValue("workspace", wrapped.workspace())
                        .addKeyValue("reason", unusable.getMessage())
                        .log(
                                "The secrets of a workspace cannot be encrypted with its new key; this is tried again later");
            }
        }
    }

    private void encryptAgain(WrappedKeys wrapped) {
        int all = 0;
        int batch = BATCH_MAX;
        while (batch == BATCH_MAX && !loop.isClosed()) {
            batch = secrets.reseal(wrapped, workspaceKeys.open(wrapped), BATCH_MAX);
            all += batch;
        }
        boolean isComplete = keys.removeOld(wrapped);
        log.atInfo()
                .addKeyValue("workspace", wrapped.workspace())
                .addKeyValue("values", all)
                .addKeyValue("complete", isComplete)
                .log("Secrets were encrypted with a new key");
    }

    @Override
    public void close() {
        loop.close();
    }
}
