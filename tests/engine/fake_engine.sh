#!/usr/bin/env bash
# Stands in for plimsoll-engine: says what a run would say, without one. How it
# behaves is $FAKE_ENGINE:
#
#   run        (default) the steps asked for, then a summary
#   garbage    the same with lines in between that are no protocol
#   crash      two steps, an error on stderr, exit code 5
#   killed     two steps and a signal, in the middle of a line
#   silent     two steps, then nothing; ends when stdin is closed
#   finishing  the same, three seconds after that, and SIGTERM ends it without a word
#   stubborn   like silent, but neither stdin nor SIGTERM ends it, only the end of whoever started it
#   nan        two steps, then a loss that is not finite, exit code 5
#   newer      speaks a protocol that nobody reads yet
#   replay     the file $FAKE_ENGINE_LOG, and exit code $FAKE_ENGINE_CODE
#   refuses    a usage error, as of an option it does not know
#
# $FAKE_ENGINE_STARTED, a file, gets its arguments and process id.
set -u
mode=${FAKE_ENGINE:-run}
steps=10 data=1 tensor=1 pipeline=1 stops=no pause=${FAKE_ENGINE_PAUSE:-0.02}
[ -z "${FAKE_ENGINE_STARTED:-}" ] || printf '%s\n%s\n' "$$" "$*" >"$FAKE_ENGINE_STARTED"
while [ $# -gt 0 ]; do
    case $1 in
    --steps) steps=$2; shift ;;
    --dp) data=$2; shift ;;
    --tp) tensor=$2; shift ;;
    --pp) pipeline=$2; shift ;;
    --stdin-stops) stops=yes ;;
    esac
    shift
done
seq=0
# say TYPE FIELDS: a line, 20 ms after the one before.
say() {
    printf '{"type":"%s","run":"fake","seq":%d,"t_s":%d.%03d,%s}\n' \
        "$1" $seq $((seq / 50)) $((seq % 50 * 20)) "$2"
    seq=$((seq + 1))
}
spread() { printf '"%s":{"max":0.%06d,"mean":0.%06d,"min":0.%06d}' "$1" $(($2 + $2 / 10)) "$2" $(($2 - $2 / 10)); }

# One step: parts in microseconds, a little longer every third time.
step() {
    local n=$1 more=$((n % 3 * 1500)) loss=${2:-} milli
    milli=$((2300 + 25000 / (7 + n) + n % 4 * 40))
    [ -n "$loss" ] || printf -v loss '%d.%03d' $((milli / 1000)) $((milli % 1000))
    local parts tokens=1024
    parts=$(spread gemm $((120000 + more))),$(spread attention 21000),$(spread elementwise 18000),$(spread ends 24000)
    parts=$parts,$(spread launch 1500),$(spread data_parallel $((data > 1 ? 14000 : 0)))
    parts=$parts,$(spread tensor_parallel $((tensor > 1 ? 16000 : 0)))
    parts=$parts,$(spread bubble $((pipeline > 1 ? 30000 : 0))),$(spread optimizer 9000)
    local wall=$((193500 + more + (data > 1 ? 14000 : 0) + (tensor > 1 ? 16000 : 0) + (pipeline > 1 ? 30000 : 0)))
    local passes
    passes=$(spread data 500),$(spread forward 60000),$(spread backward $((wall - 69500))),$(spread update 9000)
    local fields="\"step\":$n,\"loss\":$loss,\"grad_norm\":1.25,\"step_s\":0.$(printf %06d $wall)"
    fields+=",\"tokens\":$tokens,\"tok_per_s\":$((tokens * 1000000 / wall))"
    fields+=",\"pass\":{$passes},\"phase\":{$parts},\"comm\":{}"
    say step "$fields,\"mem_peak_B\":310000000,\"energy_J\":null,\"quality\":[]"
}
# summary STATUS STEPS
summary() {
    local fields="\"status\":\"$1\",\"steps\":$2,\"loss_first\":4.137,\"loss_last\":3.2"
    fields+=",\"step_s\":0.1950,\"tok_per_s\":5251"
    fields+=",\"mem_predicted_B\":305000000,\"mem_peak_B\":310000000"
    say summary "$fields,\"lines\":$seq,\"hash\":\"0\""
}

# A pause that ends the run when stdin was closed meanwhile.
wait_or_leave() {
    [ $stops = yes ] || { sleep "$pause"; return; }
    read -r -t "$pause" _
    [ $? -ne 1 ] || { summary cancelled "$1"; exit 75; }
}

case $mode in
replay) cat "$FAKE_ENGINE_LOG"; exit "${FAKE_ENGINE_CODE:-0}" ;;
refuses) echo "The following argument was not expected: --colour" >&2; exit 2 ;;
newer) say hello '"schema":2,"engine":"9.9"'; sleep 0.2; exit 0 ;;
stubborn) trap '' TERM; stops=no ;;
esac
say hello '"schema":1,"engine":"0.1.0","git":"fake","arguments":["--steps","10"]'
say hw '"node":0,"cpu_model":"a core","cores":2,"threads_allowed":2,"memory_B":25769803776'
grid=
for ((r = 0; r < data * tensor * pipeline; ++r)); do
    place="\"dp\":$((r / tensor % data)),\"tp\":$((r % tensor)),\"pp\":$((r / tensor / data))"
    grid=$grid${grid:+,}"{\"rank\":$r,\"node\":0,$place,\"device\":\"cpu\"}"
done
predicted='"weights":56000000,"gradients":56000000,"optimizer":113000000,"activations":76000000'
predicted+=',"logits":4000000,"buffers":0,"total":305000000'
degrees="\"dp\":$data,\"tp\":$tensor,\"pp\":$pipeline"
say layout "$degrees,\"loss_floor\":1.9,\"grid\":[$grid],\"predicted_B\":{$predicted}"
for ((n = 1; n <= steps; ++n)); do
    # Whoever finishes a step when it is stopped has begun the third as soon as the second is written.
    if [ $mode != finishing ] || [ "$n" -le 2 ]; then wait_or_leave $((n - 1)); fi
    if [ "$n" -gt 2 ]; then
        case $mode in
        crash)
            text='the loss is not finite in step 3'
            printf '{"type":"error","run":"fake","code":"numerics","rank":1,"text":"%s","exit_code":5,"fatal":true}\n' \
                "$text" >&2
            echo 'launcher chatter' >&2
            exit 5 ;;
        nan) step "$n" null; exit 5 ;;
        killed) printf '{"type":"step","run":"fake","se'; kill -KILL $$ ;;
        silent) while :; do wait_or_leave 2; done ;;
        finishing)
            while read -r _; do :; done
            sleep 3
            step 3
            summary cancelled 3
            exit 75 ;;
        stubborn) while grep -q "^PPid:.*\b$PPID\$" /proc/$$/status; do sleep 0.1; done; exit 75 ;;
        esac
    fi
    if [ $mode = garbage ]; then
        echo "no protocol at all"
        echo '{"type":"step","run":"fake","seq":'$seq',"t_s":0,"step":"three"}'
        say rank '"phase":{}'
    fi
    step "$n"
done
summary ok "$steps"
