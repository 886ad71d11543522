package dev.millrace.scheduler.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.ListBlobsResponse;
import dev.millrace.proto.blob.v1.ListedBlob;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.operation.v1.CancelRunRequest;
import dev.millrace.proto.quota.v1.GetQuotasRequest;
import dev.millrace.proto.quota.v1.QuotaServiceGrpc;
import dev.millrace.proto.quota.v1.QuotaUse;
import dev.millrace.proto.quota.v1.Quotas;
import dev.millrace.proto.quota.v1.SetQuotasRequest;
import dev.millrace.proto.run.v1.SubmitRunRequest;
import dev.millrace.proto.worker.v1.Lease;
import dev.millrace.proto.worker.v1.SaveJobBlobResponse;
import dev.millrace.scheduler.config.BlobConfig;
import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.testing.HandlerWorker;
import dev.millrace.scheduler.testing.RunningScheduler;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Tests over gRPC, on a real Postgres. */
class BlobServiceTest {
    private static final long BYTES_MAX = 3 << 20;
    private static final RunningScheduler SCHEDULER = new RunningScheduler(config -> config.withBlob(new BlobConfig(
                    BlobStoreKind.POSTGRES, Optional.empty(), Optional.empty(), BYTES_MAX, Duration.ofDays(1))))
            .withWorkspaces("other", "listed", "limited");
    private static final HandlerWorker WORKER = new HandlerWorker(SCHEDULER.channel(), "handler:blobs");
    private static final BlobCalls CALLS = new BlobCalls(SCHEDULER.channel());
    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

    @AfterAll
    static void stop() {
        WORKER.close();
        SCHEDULER.close();
    }

    @Test
    void returnsWhatWasUploadedInWholeAndInPart() throws Exception {
        byte[] bytes = new byte[2 << 20];
        new Random(1).nextBytes(bytes);

        Blob blob = CALLS.upload(
                "", "image/png", Arrays.copyOf(bytes, 1 << 20), Arrays.copyOfRange(bytes, 1 << 20, bytes.length));

        assertThat(blob.getBytes()).isEqualTo(bytes.length);
        assertThat(blob.getMediaType()).isEqualTo("image/png");
        assertThat(blob.getSha256())
                .isEqualTo(HexFormat.of()
                        .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes)));
        assertThat(CALLS.download("", blob.getId(), 0, 0)).isEqualTo(bytes);
        assertThat(CALLS.download("", blob.getId(), 1_000_000, 300_000))
                .isEqualTo(Arrays.copyOfRange(bytes, 1_000_000, 1_300_000));
        assertThat(CALLS.download("", blob.getId(), -10, 0))
                .isEqualTo(Arrays.copyOfRange(bytes, bytes.length - 10, bytes.length));
        assertThat(reason(() -> CALLS.download("", blob.getId(), bytes.length, 0)))
                .isEqualTo("BLOB_TOO_SHORT");
    }

    @Test
    void keepsAnEmptyBlob() {
        Blob blob = CALLS.upload("", "text/plain");

        assertThat(blob.getBytes()).isZero();
        assertThat(CALLS.download("", blob.getId(), 0, 0)).isEmpty();
    }

    @Test
    void listsBlobsAPageAtATimeTheNewestFirst() throws InterruptedException {
        Lease job = job();
        List<String> ids = new ArrayList<>();
        for (int number = 0; number < 3; number++) {
            ids.addFirst(CALLS.upload("listed", "text/plain", HELLO).getId());
        }
        CALLS.upload("other", "text/plain", HELLO);
        Blob used = CALLS.save(job, HELLO);

        ListBlobsResponse first = CALLS.list("listed", 2, "");
        ListBlobsResponse second = CALLS.list("listed", 2, first.getNextPageToken());

        assertThat(Stream.of(first, second)
                        .flatMap(page -> page.getBlobsList().stream())
                        .map(listed -> listed.getBlob().getId()))
                .containsExactlyElementsOf(ids);
        assertThat(first.getBlobs(0).getIsUsed()).isFalse();
        assertThat(first.getBlobs(0).hasCreateTime()).isTrue();
        assertThat(second.getNextPageToken()).isEmpty();
        assertThat(CALLS.list("", 1, "").getBlobs(0))
                .returns(used, ListedBlob::getBlob)
                .returns(true, ListedBlob::getIsUsed);
        assertThat(reason(() -> CALLS.list("", 1, "!"))).isEqualTo("INVALID_REQUEST");
    }

    @Test
    void deletesABlobThatARunUses() throws InterruptedException {
        Lease job = job();
        Blob blob = CALLS.save(job, HELLO);
        assertThat(CALLS.get("", blob.getId())).isEqualTo(blob);

        assertThat(CALLS.delete("", blob.getId())).isEqualTo(blob);

        assertThat(reason(() -> CALLS.get("", blob.getId()))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(reason(() -> CALLS.load(job, blob.getId()))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(reason(() -> CALLS.delete("", blob.getId()))).isEqualTo("BLOB_NOT_FOUND");
        await(() -> rows("blob_chunk where blob_id = '" + blob.getId() + "'") == 0
                && rows("blob where id = '" + blob.getId() + "'") == 0
                && rows("blob_use where blob_id = '" + blob.getId() + "'") == 0);
    }

    @Test
    void refusesOtherBytesThanAnnounced() {
        String sha256 = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

        assertThat(CALLS.upload("", announced(5, sha256.toUpperCase(Locale.ROOT)), HELLO)
                        .getSha256())
                .isEqualTo(sha256);
        for (UploadBlobRequest wrong : List.of(announced(4, ""), announced(6, ""), announced(5, "0".repeat(64)))) {
            assertThatThrownBy(() -> CALLS.upload("", wrong, HELLO)).hasMessageContaining("announced");
        }
        assertThatThrownBy(() -> CALLS.upload("", announced(BYTES_MAX + 1, "")))
                .hasMessageContaining("millrace.blob.bytes-max");
        assertThatThrownBy(() -> CALLS.upload("", announced(-1, ""))).hasMessageContaining("bytes:");
        assertThatThrownBy(() -> CALLS.upload("", announced(5, "abc"))).hasMessageContaining("sha256:");
    }

    private static UploadBlobRequest announced(long bytes, String sha256) {
        return UploadBlobRequest.newBuilder()
                .setMediaType("text/plain")
                .setBytes(bytes)
                .setSha256(sha256)
                .build();
    }

    @Test
    void findsNothingInAnotherWorkspace() throws InterruptedException {
        Blob foreign = CALLS.upload("other", "text/plain", HELLO);
        Lease job = job();

        assertThat(reason(() -> CALLS.download("", foreign.getId(), 0, 0))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(reason(() -> CALLS.load(job, foreign.getId()))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(reason(() -> CALLS.load(job, UUID.randomUUID().toString()))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(CALLS.download("other", foreign.getId(), 0, 0)).isEqualTo(HELLO);
    }

    @Test
    void showsWithARunWhatTheRunHasSavedOrLoaded() throws InterruptedException {
        Lease maker = job();
        Lease reader = job();
        Blob blob = CALLS.save(maker, HELLO);

        assertThat(CALLS.downloadOfRun(maker.getRunId(), blob.getId())).isEqualTo(HELLO);
        assertThat(reason(() -> CALLS.downloadOfRun(reader.getRunId(), blob.getId())))
                .isEqualTo("BLOB_NOT_FOUND");
        assertThat(CALLS.load(reader, blob.getId())).isEqualTo(HELLO);
        assertThat(CALLS.downloadOfRun(reader.getRunId(), blob.getId())).isEqualTo(HELLO);
    }

    @Test
    void helpsNobodyWhoseLeaseIsGone() throws InterruptedException {
        Lease job = job();
        Blob blob = CALLS.save(job, HELLO);
        Lease stale = job.toBuilder().setLeaseToken(job.getLeaseToken() + 1).build();
        BlobCalls.Answer<SaveJobBlobResponse> answer = new BlobCalls.Answer<>();
        var half = CALLS.beginToSave(job, answer, HELLO);
        // The upload has begun once its row is there.
        await(() -> rows("blob where bytes is null and media_type = 'text/plain'") > 0);
        var _ = SCHEDULER
                .operations()
                .cancelRun(
                        CancelRunRequest.newBuilder().setRunId(job.getRunId()).build());
        half.onCompleted();

        assertThatThrownBy(answer::await).hasMessageContaining("The lease is no longer held");
        assertThat(reason(() -> CALLS.save(stale, HELLO))).isEqualTo("LEASE_LOST");
        assertThat(reason(() -> CALLS.load(job, blob.getId()))).isEqualTo("LEASE_LOST");
    }

    @Test
    void refusesTooManyBytesAndNoMediaType() {
        assertThatThrownBy(
                        () -> CALLS.upload("", "a/b", new byte[1 << 20], new byte[1 << 20], new byte[1 << 20], HELLO))
                .hasMessageContaining("millrace.blob.bytes-max");
        assertThatThrownBy(() -> CALLS.upload("", "", HELLO)).hasMessageContaining("media_type:");
        assertThatThrownBy(() -> CALLS.upload("", "a/b", new byte[(1 << 20) + 1]))
                .hasMessageContaining("data:");
    }

    @Test
    void refusesWhatGoesBeyondTheQuotaOfTheWorkspace() {
        limit("limited", 1_500_000);
        BlobCalls other = new BlobCalls(SCHEDULER.another());
        byte[] million = new byte[1_000_000];
        Blob blob = CALLS.upload("limited", "a/b", million);

        UploadBlobRequest announced = UploadBlobRequest.newBuilder()
                .setMediaType("a/b")
                .setBytes(500_001)
                .build();
        assertThatThrownBy(() -> CALLS.upload("limited", announced))
                .hasMessageContaining("RESOURCE_EXHAUSTED")
                .hasMessageContaining("Workspace limited may have 1,500,000 bytes of blobs (quota blob_bytes_max)")
                .hasMessageContaining("has 1,000,000: a blob of 500,001 bytes or more does not fit");
        assertThat(reason(() -> CALLS.upload("limited", "a/b", million))).isEqualTo("QUOTA_EXCEEDED");
        assertThat(use("limited")).returns(2L, QuotaUse::getRefusedCalls).returns(1_000_000L, QuotaUse::getBlobBytes);
        // The other scheduler counts before its first upload.
        assertThat(reason(() -> other.upload("limited", "a/b", million))).isEqualTo("QUOTA_EXCEEDED");
        assertThat(other.upload("limited", "a/b", new byte[500_000]).getBytes()).isEqualTo(500_000);
        // What was refused leaves nothing but rows for the sweep.
        assertThat(rows("blob where workspace = 'limited' and bytes is null and not is_doomed"))
                .isZero();
        assertThat(CALLS.upload("other", "a/b", million).getBytes()).isEqualTo(1_000_000);

        CALLS.delete("limited", blob.getId());
        assertThat(CALLS.upload("limited", "a/b", new byte[400_000]).getBytes()).isEqualTo(400_000);
        limit("limited", 0);
        assertThat(CALLS.upload("limited", "a/b", million, million).getBytes()).isEqualTo(2_000_000);
    }

    private static QuotaUse use(String workspace) {
        return QuotaServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .getQuotas(GetQuotasRequest.newBuilder().setWorkspace(workspace).build())
                .getUse();
    }

    private static void limit(String workspace, long bytes) {
        QuotaServiceGrpc.newBlockingStub(SCHEDULER.channel())
                .setQuotas(SetQuotasRequest.newBuilder()
                        .setWorkspace(workspace)
                        .setQuotas(Quotas.newBuilder().setBlobBytesMax(bytes))
                        .build());
    }

    @Test
    void sweepsWhatNobodyUses() throws Exception {
        Lease job = job();
        Blob used = CALLS.save(job, HELLO);
        Blob unused = CALLS.upload("", "a/b", HELLO);
        BlobCalls.Answer<SaveJobBlobResponse> answer = new BlobCalls.Answer<>();
        var unfinished = CALLS.beginToSave(job, answer, new byte[1 << 20]);
        // Other tests leave unfinished blobs too.
        await(() -> rows("blob_chunk c join blob b on b.id = c.blob_id where b.bytes is null and b.id > '"
                        + unused.getId() + "'")
                == 4);

        sweep();

        assertThat(CALLS.download("", used.getId(), 0, 0)).isEqualTo(HELLO);
        assertThat(reason(() -> CALLS.download("", unused.getId(), 0, 0))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(rows("blob where bytes is null")).isZero();
        assertThat(rows("blob_chunk c where not exists (select from blob b where b.id = c.blob_id)"))
                .isZero();
        unfinished.onCompleted();
        assertThatThrownBy(answer::await).hasMessageContaining("begin it again");

        SCHEDULER.database().execute("delete from blob_use where blob_id = '" + used.getId() + "'");
        sweep();

        assertThat(reason(() -> CALLS.download("", used.getId(), 0, 0))).isEqualTo("BLOB_NOT_FOUND");
        assertThat(rows("blob_chunk where blob_id = '" + used.getId() + "'")).isZero();
    }

    private static void sweep() {
        SCHEDULER.database().execute("update blob set expires_at = now() - interval '1 second'");
        try (BlobChunkStore chunks = new BlobChunkStore(SCHEDULER.open());
                BlobSweep sweep =
                        new BlobSweep(new BlobRowStore(SCHEDULER.open()), Map.of(BlobStoreKind.POSTGRES, chunks))) {
            sweep.runOnce();
        }
    }

    /** Waits for what other threads are about to do. */
    private static void await(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("did not happen in time").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static long rows(String from) {
        return SCHEDULER
                .open()
                .run(dsl -> dsl.fetchSingle("select count(*) from " + from).get(0, Long.class));
    }

    private static String reason(ThrowingCallable call) {
        return RunningScheduler.reason(catchThrowableOfType(StatusRuntimeException.class, call));
    }

    private static Lease job() throws InterruptedException {
        var _ = SCHEDULER
                .runs()
                .submitRun(SubmitRunRequest.newBuilder()
                        .setSpec(RunningScheduler.handler("blobs", UnaryOperator.identity()))
                        .build());
        return WORKER.take();
    }
}
