package dev.millrace.scheduler.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.proto.secret.v1.EncryptionKey;
import dev.millrace.proto.secret.v1.ListKeysRequest;
import dev.millrace.proto.secret.v1.RotateKeysRequest;
import dev.millrace.proto.secret.v1.RotateKeysResponse;
import dev.millrace.scheduler.Scheduler;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how keys are rotated and lost, each on a scheduler of its own. */
@Tag("nightly")
class KeyRotationTest {
    private final RunningScheduler scheduler = new RunningScheduler();
    private final SecretCalls calls = new SecretCalls(scheduler.channel());

    @AfterEach
    void stop() {
        scheduler.close();
    }

    @Test
    void wrapsTheKeysOfWorkspacesWithTheNewestKeyAgain() throws IOException {
        calls.set("shop/key", "correct horse");
        assertThat(keys()).extracting(EncryptionKey::getId).containsExactly("0001");
        addKey("0002", 2);

        RotateKeysResponse rotated = calls.keys().rotateKeys(RotateKeysRequest.getDefaultInstance());

        assertThat(rotated.getKeyId()).isEqualTo("0002");
        assertThat(rotated.getWorkspaces()).isEqualTo(1);
        assertThat(keys())
                .extracting(key -> key.getId() + " " + key.getCurrent() + " " + key.getWorkspaces())
                .containsExactly("0001 false 0", "0002 true 1");
        Files.delete(place().resolve("0001.key"));
        assertThat(calls.keys()
                        .rotateKeys(RotateKeysRequest.getDefaultInstance())
                        .getWorkspaces())
                .isZero();
        assertThat(calls.set("shop/key", "another value").getVersion()).isEqualTo(2);
    }

    @Test
    void encryptsAllValuesAgainWithANewKeyAndRemovesTheOldOne() {
        for (int i = 0; i < 250; i++) {
            calls.set("shop/key-" + i, "value number " + i);
        }
        long before = number("select data_key from workspace_key");

        calls.keys().rotateKeys(RotateKeysRequest.newBuilder().setData(true).build());

        awaitZero("select count(*) from secret where data_key = " + before);
        awaitZero("select keys - 1 from workspace_key");
        assertThat(calls.keys().listKeys(ListKeysRequest.getDefaultInstance()).getValuesWaiting())
                .isZero();
        assertThat(number("select count(distinct data_key) from secret")).isEqualTo(1);
        assertThat(calls.set("shop/key-0", "still writable").getVersion()).isEqualTo(2);
    }

    @Test
    void doesNotStartWithoutAKeyThatIsInUse() throws IOException {
        calls.set("shop/key", "correct horse");
        Path key = place().resolve("0001.key");
        byte[] content = Files.readAllBytes(key);
        Files.delete(key);

        assertThatThrownBy(() -> Scheduler.start(scheduler.database().schedulerConfig()))
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
                .hasMessageContaining("The key-encryption key 0001 is missing")
                .hasMessageContaining("put its file back into " + place().toAbsolutePath());
        assertThatThrownBy(() -> calls.keys().rotateKeys(RotateKeysRequest.getDefaultInstance()))
                .hasMessageContaining("The key-encryption key 0001 is missing");
        addKey("0001", 9);
        assertThatThrownBy(() -> Scheduler.start(scheduler.database().schedulerConfig()))
                .hasMessageContaining("is not the one that this installation uses");
        Files.write(key, content);
        Scheduler.start(scheduler.database().schedulerConfig()).close();
    }

    @Test
    void makesNoSecondFirstKey() throws IOException {
        calls.set("shop/key", "correct horse");
        Files.delete(place().resolve("0001.key"));
        scheduler.database().execute("delete from workspace_key");

        try (Scheduler other = Scheduler.start(scheduler.database().schedulerConfig())) {
            ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", other.port())
                    .usePlaintext()
                    .build();
            assertThatThrownBy(() -> new SecretCalls(channel).set("shop/other", "correct horse"))
                    .hasMessageContaining("has no key-encryption key, but the installation has one");
            channel.shutdownNow();
        }
    }

    private List<EncryptionKey> keys() {
        return calls.keys().listKeys(ListKeysRequest.getDefaultInstance()).getKeysList();
    }

    private Path place() {
        return scheduler.database().keys();
    }

    private void addKey(String id, int first) throws IOException {
        byte[] bytes = new byte[32];
        bytes[0] = (byte) first;
        Path file = place().resolve(id + ".key");
        Files.writeString(file, Base64.getEncoder().encodeToString(bytes));
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    private long number(String sql) {
        Database database = scheduler.open();
        return database.run(dsl -> dsl.fetchSingle(sql).into(long.class));
    }

    /** Waits for the background activity, which says nothing when it has ended. */
    private void awaitZero(String sql) {
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (number(sql) != 0) {
            assertThat(System.nanoTime()).as(sql).isLessThan(deadline);
            LockSupport.parkNanos(20_000_000);
        }
    }
}
