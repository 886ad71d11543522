@NullMarked
package dev.millrace.handler.kafka;

import org.jspecify.annotations.NullMarked;
