// Copyright 2026 The Hanabi authors.
// Distributed under the Boost Software License, Version 1.0.
// (See accompanying file LICENSE_1_0.txt or copy at https://www.boost.org/LICENSE_1_0.txt)

// A struct passed by value, and a table in constant memory.

struct particle {
    float x, y, vx, vy;
    int kind;
};

struct step {
    float dt;
    float gravity;
    int count;
};

namespace physics {
__constant__ float drag[4]; // for each kind of particle
}

extern "C" __global__ void advance(particle* particles, step s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.count) return;
    particle p = particles[i];
    const float keep = 1.0f - physics::drag[p.kind] * s.dt;
    p.vx = p.vx * keep;
    p.vy = p.vy * keep - s.gravity * s.dt;
    p.x += p.vx * s.dt;
    p.y += p.vy * s.dt;
    particles[i] = p;
}
