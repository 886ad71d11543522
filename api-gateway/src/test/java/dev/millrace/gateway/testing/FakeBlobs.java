package dev.millrace.gateway.testing;

import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.rpc.Code;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DeleteBlobRequest;
import dev.millrace.proto.blob.v1.DeleteBlobResponse;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import dev.millrace.proto.blob.v1.GetBlobRequest;
import dev.millrace.proto.blob.v1.GetBlobResponse;
import dev.millrace.proto.blob.v1.ListBlobsRequest;
import dev.millrace.proto.blob.v1.ListBlobsResponse;
import dev.millrace.proto.blob.v1.ListedBlob;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;

/** Blobs in memory. */
public final class FakeBlobs extends BlobServiceGrpc.BlobServiceImplBase {

    private static final int PART_BYTES = 10;

    private record Stored(Blob blob, ByteString bytes) {}

    private final Map<String, Stored> stored = new ConcurrentSkipListMap<>();

    /** Opened once an upload has begun. */
    public final CountDownLatch begun = new CountDownLatch(1);
    /** Opened once an upload has been canceled. */
    public final CountDownLatch canceled = new CountDownLatch(1);
    /** Number of parts after which a download fails. */
    public volatile int partsMax = Integer.MAX_VALUE;

    public Blob add(String mediaType, ByteString bytes) {
        var blob = Blob.newBuilder()
                .setId(UUID.randomUUID().toString())
                .setBytes(bytes.size())
                .setSha256(sha256(bytes))
                .setMediaType(mediaType)
                .build();
        stored.put(blob.getId(), new Stored(blob, bytes));
        return blob;
    }

    public ByteString bytes(String id) {
        return find(id).bytes();
    }

    @Override
    public StreamObserver<UploadBlobRequest> uploadBlob(StreamObserver<UploadBlobResponse> observer) {
        return new StreamObserver<>() {
            private String mediaType = "";
            private ByteString bytes = ByteString.EMPTY;

            @Override
            public void onNext(UploadBlobRequest message) {
                begun.countDown();
                mediaType = message.getMediaType().isEmpty() ? mediaType : message.getMediaType();
                bytes = bytes.concat(message.getData());
                if (message.getMediaType().equals("application/refused")) {
                    observer.onError(Refusals.of(Code.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", "The quota is used up."));
                }
            }

            @Override
            public void onError(Throwable failure) {
                canceled.countDown();
            }

            @Override
            public void onCompleted() {
                observer.onNext(UploadBlobResponse.newBuilder()
                        .setBlob(add(mediaType, bytes))
                        .build());
                observer.onCompleted();
            }
        };
    }

    @Override
    public void getBlob(GetBlobRequest request, StreamObserver<GetBlobResponse> observer) {
        if (!stored.containsKey(request.getBlobId())) {
            observer.onError(Refusals.of(Code.NOT_FOUND, "BLOB_NOT_FOUND", "There is no such blob."));
            return;
        }
        observer.onNext(GetBlobResponse.newBuilder()
                .setBlob(find(request.getBlobId()).blob())
                .build());
        observer.onCompleted();
    }

    @Override
    public void listBlobs(ListBlobsRequest request, StreamObserver<ListBlobsResponse> observer) {
        var page = ListBlobsResponse.newBuilder();
        for (var entry : stored.values()) {
            page.addBlobs(ListedBlob.newBuilder()
                    .setBlob(entry.blob())
                    .setCreateTime(Timestamp.newBuilder().setSeconds(1_800_000_000))
                    .setIsUsed(true));
        }
        observer.onNext(page.build());
        observer.onCompleted();
    }

    @Override
    public void deleteBlob(DeleteBlobRequest request, StreamObserver<DeleteBlobResponse> observer) {
        var deleted = find(request.getBlobId()).blob();
        stored.remove(deleted.getId());
        observer.onNext(DeleteBlobResponse.newBuilder().setBlob(deleted).build());
        observer.onCompleted();
    }

    @Override
    public void downloadBlob(DownloadBlobRequest request, StreamObserver<DownloadBlobResponse> observer) {
        var found = find(request.getBlobId());
        int first = (int) request.getOffset();
        int length = request.getLength() == 0 ? found.bytes().size() - first : (int) request.getLength();
        var wanted = found.bytes().substring(first, first + length);
        observer.onNext(answer(BlobPart.newBuilder().setBlob(found.blob()).setLength(length)));
        for (int at = 0, parts = 0; at < wanted.size(); at += PART_BYTES, parts++) {
            if (parts == partsMax) {
                observer.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            observer.onNext(answer(
                    BlobPart.newBuilder().setData(wanted.substring(at, Math.min(wanted.size(), at + PART_BYTES)))));
        }
        observer.onCompleted();
    }

    private static DownloadBlobResponse answer(BlobPart.Builder part) {
        return DownloadBlobResponse.newBuilder().setPart(part).build();
    }

    private Stored find(String id) {
        var found = stored.get(id);
        if (found == null) {
            throw new AssertionError("There is no blob " + id + ".");
        }
        return found;
    }

    private static String sha256(ByteString bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256.", e);
        }
    }
}
