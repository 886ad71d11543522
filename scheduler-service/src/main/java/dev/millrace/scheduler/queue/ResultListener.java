package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.LeaseReceiver.ResultAck;
import java.util.List;

/**
 * Receives the acknowledgments of results after they are durable. Calls come from the thread that drives the lane and
 * must return immediately.
 */
public interface ResultListener {
    void acknowledge(List<ResultAck> acks);
}
