package dev.millrace.kafka;

import java.nio.ByteBuffer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.MutableRecordBatch;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * Looks at batches of messages before a consumer expands them. Of each partition it keeps the batches before the first one that
 * may not be read now; that one then comes first in a later response, so what is decided on the first one concerns no other.
 */
final class FetchedBatches {
    private FetchedBatches() {}

    /** Whether a response may be read, without the batches that may not. If not, it must count as lost. */
    static boolean admits(FetchResponse response, ResponseLimit limit) {
        return response.data().responses().stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(partition -> admits(partition, limit));
    }

    private static boolean admits(PartitionData partition, ResponseLimit limit) {
        if (!(partition.records() instanceof MemoryRecords records)) {
            return true;
        }
        ByteBuffer bytes = records.buffer();
        int read = 0;
        try {
            for (MutableRecordBatch batch : records.batches()) {
                ByteBuffer content = bytes.slice(bytes.position() + read, batch.sizeInBytes());
                if (read == 0) {
                    if (!isAdmitted(batch, content, limit)) {
                        return false;
                    }
                } else if (Expansion.largestPart(batch, content, limit.partBytesMax()) > limit.partBytesMax()) {
                    partition.setRecords(MemoryRecords.readableRecords(bytes.slice(bytes.position(), read)));
                    return true;
                }
                read += batch.sizeInBytes();
            }
        } catch (KafkaException | IndexOutOfBoundsException broken) {
            // The consumer fails there, too.
            return true;
        }
        return true;
    }

    private static boolean isAdmitted(MutableRecordBatch batch, ByteBuffer content, ResponseLimit limit) {
        long enough = limit.partBytesMax();
        long part = Expansion.largestPart(batch, content, enough);
        boolean keepsBuffers = batch.compressionType() == CompressionType.LZ4;
        boolean isAdmitted = limit.admit(part, keepsBuffers);
        // With a turn, the rest of the batch may be looked at, too.
        return isAdmitted
                && (part <= enough
                        || limit.admit(Expansion.largestPart(batch, content, limit.partBytesMax()), keepsBuffers));
    }
}
