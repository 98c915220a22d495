// Runner of exported programs, as a text that `exportWGSL` writes beside the plan. It uses nothing
// but WebGPU, and its words are those of the plan.

export const RUNNER = `// Runs a program that weft-gpu exported: plan.json, weights.safetensors and kernels/*.wgsl. Nothing else is needed.
// read(name) gives the bytes of a file beside this one. In Node: (name) => readFile(new URL(name,
// import.meta.url)). const program = await load(read); const [y] = await program.run([new
// Float32Array([1, 2, 3])], [0.5]);
const ARRAYS = { f32: Float32Array, i32: Int32Array, u32: Uint32Array, bool: Uint32Array, f16: Uint16Array, i8: Int8Array, u8: Uint8Array };
const [MAP_READ, COPY_SRC, COPY_DST, UNIFORM, STORAGE, INDIRECT] = [1, 4, 8, 64, 128, 256], four = (n) => Math.max(4, Math.ceil(n / 4) * 4);

export async function load(read, gpu = globalThis.navigator?.gpu) {
  const text = async (name) => new TextDecoder().decode(await read(name)), plan = JSON.parse(await text("plan.json"));
  const device = await (await gpu.requestAdapter()).requestDevice({ requiredFeatures: plan.needs.features, requiredLimits: plan.needs.limits });
  const make = (size, usage = STORAGE | INDIRECT | COPY_SRC | COPY_DST) => device.createBuffer({ size, usage });
  const upload = (data, buffer = make(four(data.byteLength))) => {
    const bytes = new Uint8Array(four(data.byteLength));
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
    device.queue.writeBuffer(buffer, 0, bytes);
    return buffer;
  };
  const fetchBytes = async (buffer, size) => {
    const staging = make(size, MAP_READ | COPY_DST), encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
    device.queue.submit([encoder.finish()]);
    return staging.mapAsync(1).then(() => staging.getMappedRange().slice(0)).finally(() => staging.destroy());
  };
  const file = Uint8Array.from(await read("weights.safetensors")), start = 8 + new DataView(file.buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const weights = plan.weights.map(({ name, dtype }) => {
    const Stored = dtype === "bool" ? Uint8Array : ARRAYS[dtype], [from, to] = header[name].data_offsets;
    return upload(new ARRAYS[dtype](new Stored(file.slice(start + from, start + to).buffer)));
  });
  const kernels = await Promise.all(plan.kernels.map(async ({ file }) => {
    const code = await text(file), found = [...code.matchAll(/@binding\\((\\d+)\\) var<(?:storage, (read_write|read)|(uniform))>/g)];
    const entries = found.map(([, binding, access]) => ({ binding: Number(binding), visibility: 4, buffer: { type: { read: "read-only-storage", read_write: "storage" }[access] ?? "uniform" } }));
    const group = device.createBindGroupLayout({ entries }), layout = device.createPipelineLayout({ bindGroupLayouts: [group] });
    const pipeline = await device.createComputePipelineAsync({ layout, compute: { module: device.createShaderModule({ code }), entryPoint: "main" } });
    return { pipeline, group, uniform: entries.find(({ buffer }) => buffer.type === "uniform")?.binding };
  }));
  const kept = plan.buffers.map(({ bytes, input, weight, output, alias }) => ((input ?? weight ?? output ?? alias) === undefined ? make(bytes) : null));
  let calls = 0;
  const run = async (inputs = [], numbers = []) => {
    const own = plan.calls[Math.min(calls++, plan.calls.length - 1)], given = inputs.map((data, n) => new ARRAYS[plan.inputs[n].dtype](data));
    const scalar = ({ bits, number, dtype, call }) => bits ?? (call === undefined ? new Uint32Array(ARRAYS[dtype].of(numbers[number]).buffer)[0] : own[call]);
    const slots = plan.buffers.map(({ bytes, input, weight, output }, n) => (input !== undefined ? upload(given[input]) : weight !== undefined ? weights[weight] : output ? make(bytes) : kept[n]));
    const means = plan.buffers.map(({ alias }, n) => alias ?? n), index = [], buffer = (slot) => slots[means[slot]];
    const dispatch = ({ kernel, buffers, uniforms, workgroups, counted }) => {
      const { pipeline, group, uniform } = kernels[kernel], entries = buffers.map((slot, binding) => ({ binding, resource: { buffer: buffer(slot) } }));
      const words = new Uint32Array(Math.ceil(uniforms.length / 4) * 4).map((_, n) => (n < uniforms.length ? uniforms[n].bits ?? (uniforms[n].scalar === undefined ? index[uniforms[n].index] : scalar(plan.scalars[uniforms[n].scalar])) : 0));
      if (uniform !== undefined) entries.push({ binding: uniform, resource: { buffer: upload(words, make(words.byteLength, UNIFORM | COPY_DST)) } });
      const encoder = device.createCommandEncoder(), pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, device.createBindGroup({ layout: group, entries }));
      counted ? pass.dispatchWorkgroupsIndirect(buffer(counted[0]), counted[1]) : pass.dispatchWorkgroups(...workgroups);
      pass.end();
      device.queue.submit([encoder.finish()]);
    };
    const walk = async (at, end, next) => {
      for (let loop = plan.loops[next]; at < end; loop = plan.loops[next]) {
        if (loop?.first !== at) { dispatch(plan.dispatches[at++]); continue; }
        for (const { from, read, write, pair } of loop.carried) [means[read], means[write]] = [means[from], pair[0]];
        for (let n = 0, granted = loop.iterations; n < granted; ) {
          index[next] = loop.reverse ? loop.iterations - 1 - n : n;
          await walk(loop.first, loop.end, next + 1);
          n++;
          for (const { read, write, pair } of loop.carried) [means[read], means[write]] = [means[write], pair[n % 2]];
          if (n === granted && loop.until !== null && new Uint32Array(await fetchBytes(buffer(loop.until), 4))[0]) [n, granted] = [0, granted * 2];
        }
        for (at = loop.end; plan.loops[next]?.first < at; ) next++;
      }
    };
    await walk(0, plan.dispatches.length, 0);
    const place = ({ buffer: slot, weight, input }) => (slot !== undefined ? buffer(slot) : weight !== undefined ? weights[weight] : upload(given[input]));
    const results = await Promise.all(plan.results.map(async ({ shape, dtype, empty, scalar: of, ...at }) => {
      const length = shape.reduce((a, b) => a * b, 1), Type = ARRAYS[dtype];
      if (empty || of) return new Type(empty ? 0 : Uint32Array.of(scalar(of)).buffer);
      return new Type(await fetchBytes(place(at), four(length * Type.BYTES_PER_ELEMENT)), 0, length);
    }));
    for (const [weight, now] of plan.updates.map(({ weight, result }) => [weight, place(result)])) weights[weight] = now;
    return results;
  };
  return { device, plan, run };
}
`;
