package dev.millrace.bench.system;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Queries another JVM of this machine through the management agent that every JVM has. Attach only to a JVM that has
 * answered a request: one that is still starting could be ended by it.
 */
public final class JvmProbe implements AutoCloseable {
    /**
     * The serial collector leaves up to a twentieth of the old generation as garbage if moving the rest would cost more
     * than it frees. One of this many collections in a row compacts in any case ({@code MarkSweepDeadRatio},
     * {@code MarkSweepAlwaysCompactCount}).
     */
    private static final int COLLECTIONS_UNTIL_COMPACT = 4;

    private static final double NANOS_PER_SECOND = 1e9;

    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    private JvmProbe(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // The address comes from the JVM attached to, which runs as the same user.
    public static JvmProbe attach(long pid) {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                String address = machine.startLocalManagementAgent();
                return new JvmProbe(JMXConnectorFactory.connect(new JMXServiceURL(address)));
            } finally {
                machine.detach();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot attach to the JVM with process id " + pid + ".", e);
        } catch (AttachNotSupportedException e) {
            throw new IllegalStateException("Cannot attach to the JVM with process id " + pid + ".", e);
        }
    }

    /** Bytes allocated by all threads since the start, including virtual and ended ones. */
    public long allocatedBytes() {
        return (long) attribute("java.lang:type=Threading", "TotalThreadAllocatedBytes");
    }

    /** CPU seconds of the process, more precise than the operating system's ticks. */
    public double cpuSeconds() {
        return (long) attribute("java.lang:type=OperatingSystem", "ProcessCpuTime") / NANOS_PER_SECOND;
    }

    /** Collects all garbage and returns the remaining bytes. */
    public long heapAfterFullCollection() {
        try {
            MemoryMXBean memory = ManagementFactory.newPlatformMXBeanProxy(
                    beans, ManagementFactory.MEMORY_MXBEAN_NAME, MemoryMXBean.class);
            long least = Long.MAX_VALUE;
            for (int i = 0; i < COLLECTIONS_UNTIL_COMPACT; i++) {
                memory.gc();
                least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
            }
            return least;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Used bytes of the heap after the JVM's own latest collections. */
    public long heapAfterLastCollections() {
        try {
            return ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class).stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP && pool.getCollectionUsage() != null)
                    .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sum of the peaks of all pools of the heap in bytes, garbage included. */
    public long heapPeak() {
        try {
            List<MemoryPoolMXBean> pools = ManagementFactory.getPlatformMXBeans(beans, MemoryPoolMXBean.class);
            return pools.stream()
                    .filter(pool -> pool.getType() == MemoryType.HEAP)
                    .mapToLong(pool -> pool.getPeakUsage().getUsed())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object attribute(String bean, String name) {
        try {
            return beans.getAttribute(new ObjectName(bean), name);
        } catch (IOException e) {
            throw new UncheckedIOException("The JVM does not answer.", e);
        } catch (JMException e) {
            throw new IllegalStateException("The JVM has no attribute " + name + " of " + bean + ".", e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException gone) {
            // The JVM has ended before this program, which closes everything.
        }
    }
}
